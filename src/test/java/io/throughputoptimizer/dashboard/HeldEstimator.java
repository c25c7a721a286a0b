package io.throughputoptimizer.dashboard;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Estimates as another estimator does, and can be held or fail, so that a test sees a search while it runs or fail.
final class HeldEstimator implements ForwardEstimator {
    private static final int UNHELD = Integer.MAX_VALUE / 2;

    private final ForwardEstimator estimator;
    private final Semaphore passes = new Semaphore(UNHELD);
    private final AtomicReference<@Nullable Error> failure = new AtomicReference<>();

    HeldEstimator(ForwardEstimator estimator) {
        this.estimator = estimator;
    }

    @Override
    public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
        passes.acquireUninterruptibly();
        Error error = failure.get();
        if (error != null) {
            throw error;
        }
        return estimator.estimate(deployment, shape);
    }

    /// Lets so many more passes through, then holds all others.
    void holdAfter(int count) {
        passes.drainPermits();
        passes.release(count);
    }

    /// Lets every pass fail, until [#release].
    void failWith(Error error) {
        failure.set(error);
    }

    void release() {
        failure.set(null);
        passes.drainPermits();
        passes.release(UNHELD);
    }
}
