package io.throughputoptimizer;

import com.zaxxer.hikari.HikariDataSource;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
}
