package io.throughputoptimizer;

import io.throughputoptimizer.job.JobStore;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/// Whether the database does what jobs need: it is read each time, and written to if it has failed since the last
/// success.
final class DatabaseHealthIndicator extends AbstractHealthIndicator {
    private final DatabaseGuard guard;
    private final JobStore jobs;

    DatabaseHealthIndicator(DatabaseGuard guard, JobStore jobs) {
        super("the database does not answer");
        this.guard = guard;
        this.jobs = jobs;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        if (guard.isDoubted()) {
            jobs.checkWriting();
            guard.trust();
        } else {
            jobs.checkReading();
        }
        health.up();
    }
}
