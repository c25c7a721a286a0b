package io.throughputoptimizer;

import io.throughputoptimizer.job.JobRunner;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/// Whether this process looks for jobs. If it does not, though it has not been stopped, only a new start helps.
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
