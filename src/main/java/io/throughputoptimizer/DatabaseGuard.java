package io.throughputoptimizer;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.throughputoptimizer.job.DatabaseFailure;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/// Sees every failure of the pool's connections. H2 closes its file for good when it cannot write, and opens it again
/// only once no connection of before is left: then all of them are given up. Thread-safe.
final class DatabaseGuard implements SQLExceptionOverride {
    private static final Logger log = LoggerFactory.getLogger(DatabaseGuard.class);
    private static final Duration PAUSE = Duration.ofMillis(10);

    /// A connection of a closed database fails as soon as it is used; this is for an unused one.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final HikariDataSource pool;
    private final AtomicBoolean reopening = new AtomicBoolean();
    private volatile boolean doubted;

    DatabaseGuard(HikariDataSource pool) {
        this.pool = pool;
    }

    @java.lang.Override // The name alone means the interface's own type.
    public Override adjudicate(SQLException failure) {
        doubted |= DatabaseFailure.isIn(failure);
        if (!DatabaseFailure.isEndOfEmbedded(failure)) {
            return Override.CONTINUE_EVICT;
        }
        if (reopening.compareAndSet(false, true)) {
            log.warn(
                    "the embedded database has closed its file and is opened again: {}",
                    NestedExceptionUtils.getMostSpecificCause(failure).toString());
            Thread.ofVirtual().name("reopen-database").start(this::reopen);
        }
        return Override.MUST_EVICT;
    }

    /// Returns whether the database has failed since [#trust].
    boolean isDoubted() {
        return doubted;
    }

    /// The database has done what jobs need.
    void trust() {
        doubted = false;
    }

    /// While the pool is suspended, callers wait and no connection is made: a new one beside an old one would find the
    /// file locked.
    private void reopen() {
        HikariPoolMXBean connections = pool.getHikariPoolMXBean();
        connections.suspendPool();
        try {
            long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
            while (connections.getTotalConnections() > 0 && System.nanoTime() < deadline) {
                connections.softEvictConnections();
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            reopening.set(false);
            connections.resumePool();
        }
    }
}
