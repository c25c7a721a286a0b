package io.throughputoptimizer;

import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/// Health of the database for jobs. Each check reads; a rehearsed submission is shared between checks within some
/// seconds. After a failure a check also writes for good.
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
