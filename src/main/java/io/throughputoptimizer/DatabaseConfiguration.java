package io.throughputoptimizer;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.throughputoptimizer.job.DatabaseFailure;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;

/// Sets up the connections to the database, so that they fail in time and the service goes on afterwards.
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

    @Bean
    static BeanPostProcessor guardedPool() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof HikariDataSource pool) {
                    guard(pool);
                }
                return bean;
            }
        };
    }

    private static void guard(HikariDataSource pool) {
        pool.setAllowPoolSuspension(true);
        pool.setExceptionOverride(new DatabaseGuard(pool));
        if (pool.getJdbcUrl() != null && pool.getJdbcUrl().startsWith("jdbc:postgresql:")) {
            Properties connection = pool.getDataSourceProperties();
            connection.putIfAbsent("connectTimeout", "5");
            connection.putIfAbsent("socketTimeout", "10");
            connection.putIfAbsent("tcpKeepAlive", "true");
        }
    }

    /// Takes the place of Spring Boot's, which asks a connection whether it is open, not the database whether
    /// it takes submissions.
    @Bean
    HealthIndicator dbHealthIndicator(HikariDataSource pool, JobStore jobs, JobRunner runner) {
        return new DatabaseHealthIndicator((DatabaseGuard) pool.getExceptionOverride(), jobs, runner);
    }

    /// Health of the database for jobs. Each check reads; a rehearsed submission is shared between checks
    /// within some seconds. After a failure a check also writes for good.
    static final class DatabaseHealthIndicator extends AbstractHealthIndicator {
        private final DatabaseGuard guard;
        private final JobStore jobs;
        private final SharedCheck submission;

        DatabaseHealthIndicator(DatabaseGuard guard, JobStore jobs, JobRunner runner) {
            super("the database does not answer");
            this.guard = guard;
            this.jobs = jobs;
            this.submission = new SharedCheck(runner::rehearse, System::nanoTime);
        }

        @Override
        protected void doHealthCheck(Health.Builder health) {
            boolean doubted = guard.isDoubted();
            if (doubted) {
                jobs.checkWriting();
            } else {
                jobs.checkReading();
            }
            submission.check();
            if (doubted) {
                guard.trust();
            }
            health.up();
        }
    }

    /// A check that costs too much to be made for each who asks: one is made at a time, and who asks soon
    /// after learns how the last one ended. Thread-safe.
    static final class SharedCheck {
        private static final Duration FRESH = Duration.ofSeconds(5);

        /// Short, so that a past failure is not reported for long.
        private static final Duration FRESH_FAILURE = Duration.ofSeconds(1);

        private final Runnable check;
        private final LongSupplier nanos;
        private final ReentrantLock turn = new ReentrantLock();
        private @Nullable Outcome last;

        private record Outcome(long at, @Nullable RuntimeException failure) {
            boolean isFresh(long now) {
                return now - at < (failure == null ? FRESH : FRESH_FAILURE).toNanos();
            }
        }

        /// @param check fails if something is wrong
        /// @param nanos [System#nanoTime]
        SharedCheck(Runnable check, LongSupplier nanos) {
            this.check = check;
            this.nanos = nanos;
        }

        /// Fails as the check does, or did within the last seconds.
        void check() {
            turn.lock();
            try {
                Outcome outcome = last;
                if (outcome == null || !outcome.isFresh(nanos.getAsLong())) {
                    outcome = make();
                    last = outcome;
                }
                if (outcome.failure() != null) {
                    throw outcome.failure();
                }
            } finally {
                turn.unlock();
            }
        }

        private Outcome make() {
            RuntimeException failure = null;
            try {
                check.run();
            } catch (RuntimeException e) {
                failure = e;
            }
            return new Outcome(nanos.getAsLong(), failure);
        }
    }

    /// Sees every failure of the pool's connections. H2 closes its file for good when it cannot write, and
    /// opens it again only once no connection of before is left: then all of them are given up. Thread-safe.
    static final class DatabaseGuard implements SQLExceptionOverride {
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

        /// While the pool is suspended, callers wait and no connection is made: a new one beside an old one
        /// would find the file locked.
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
}
