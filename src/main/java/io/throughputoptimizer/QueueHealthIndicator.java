package io.throughputoptimizer;

import io.throughputoptimizer.job.JobRunner;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/// Health of the job queue: down if this process no longer takes jobs without being stopped. Only a restart helps.
final class QueueHealthIndicator extends AbstractHealthIndicator {
    private final JobRunner runner;

    QueueHealthIndicator(JobRunner runner) {
        this.runner = runner;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        if (runner.isLookingForJobs()) {
            health.up();
        } else {
            health.down().withDetail("reason", "no thread looks for jobs");
        }
    }
}
