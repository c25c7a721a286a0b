package io.throughputoptimizer.dashboard;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import java.util.concurrent.Semaphore;

/// Estimates as another estimator does, and can be held, so that a test sees a search while it runs.
final class HeldEstimator implements ForwardEstimator {
    private static final int UNHELD = Integer.MAX_VALUE / 2;

    private final ForwardEstimator estimator;
    private final Semaphore passes = new Semaphore(UNHELD);

    HeldEstimator(ForwardEstimator estimator) {
        this.estimator = estimator;
    }

    @Override
    public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
        passes.acquireUninterruptibly();
        return estimator.estimate(deployment, shape);
    }

    /// Lets so many more passes through, then holds all others.
    void holdAfter(int count) {
        passes.drainPermits();
        passes.release(count);
    }

    void release() {
        passes.drainPermits();
        passes.release(UNHELD);
    }
}
