package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.PassEstimator;
import io.throughputoptimizer.core.serving.SimulationAllowance;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Counts what a search does, tells its monitor, and ends it when the monitor says so. Thread-safe.
final class SearchProgress {
    private final SearchMonitor monitor;
    private final Allowance allowance;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final LongAdder points = new LongAdder();
    private final LongAdder forwardPasses = new LongAdder();
    private final LongAdder simulatedSteps = new LongAdder();

    SearchProgress(SearchMonitor monitor, Allowance allowance) {
        this.monitor = monitor;
        this.allowance = allowance;
    }

    /// What the search may keep.
    Allowance allowance() {
        return allowance;
    }

    /// What the evaluation of one batch size may take; counts its steps, and refuses them once the search is cancelled.
    SimulationAllowance simulation() {
        return new SimulationAllowance() {
            @Override
            public void require(long bytes) {
                allowance.require(bytes);
            }

            @Override
            public void stepped() {
                simulatedSteps.increment();
                monitor.stepSimulated();
                failWhenCancelled();
            }
        };
    }

    /// The same estimates, each counted, and refused once the search is cancelled.
    ForwardEstimator watch(ForwardEstimator estimator) {
        return new WatchedEstimator(estimator, this);
    }

    /// The same work; when it fails, so does whatever else the search does.
    <T> Supplier<T> failingTogether(Supplier<T> work) {
        return () -> {
            try {
                return work.get();
            } catch (RuntimeException | Error thrown) {
                failure.compareAndSet(null, thrown);
                throw thrown;
            }
        };
    }

    /// Ends the search's work on this thread when somebody cancelled it, or when it failed on another one.
    void failWhenCancelled() {
        Throwable failed = failure.get();
        if (failed != null) {
            fail(failed);
        }
        monitor.failWhenCancelled();
    }

    private static void fail(Throwable failed) {
        switch (failed) {
            case RuntimeException thrown -> throw thrown;
            case Error thrown -> throw thrown;
            default -> {}
        }
    }

    void pointEvaluated() {
        points.increment();
        monitor.pointEvaluated();
    }

    private void passPriced() {
        forwardPasses.increment();
        monitor.passPriced();
    }

    void candidateDone() {
        monitor.candidateDone();
    }

    long points() {
        return points.sum();
    }

    long forwardPasses() {
        return forwardPasses.sum();
    }

    long simulatedSteps() {
        return simulatedSteps.sum();
    }

    private record WatchedEstimator(ForwardEstimator estimator, SearchProgress progress) implements ForwardEstimator {
        @Override
        public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
            progress.failWhenCancelled();
            progress.passPriced();
            return estimator.estimate(deployment, shape);
        }

        @Override
        public PassEstimator on(Deployment deployment) {
            PassEstimator passes = estimator.on(deployment);
            return shape -> {
                progress.failWhenCancelled();
                progress.passPriced();
                return passes.estimate(shape);
            };
        }
    }
}
