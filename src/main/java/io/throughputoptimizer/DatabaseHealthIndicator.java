package io.throughputoptimizer;

import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/// Whether the database does what jobs need: it is read each time, and a submission is rehearsed, of which
/// those who ask within some seconds share the outcome. After a failure something must be written for good,
/// too.
final class DatabaseHealthIndicator extends AbstractHealthIndicator {
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
