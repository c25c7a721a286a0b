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

/// Counts the work of a search, reports it to the monitor and cancels the search if the monitor does.
/// Thread-safe.
final class SearchProgress {
    private final SearchMonitor monitor;
    private final MemoryBudget allowance;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final LongAdder points = new LongAdder();
    private final LongAdder forwardPasses = new LongAdder();
    private final LongAdder simulatedSteps = new LongAdder();

    SearchProgress(SearchMonitor monitor, MemoryBudget allowance) {
        this.monitor = monitor;
        this.allowance = allowance;
    }

    /// Returns the memory budget of the search.
    MemoryBudget allowance() {
        return allowance;
    }

    /// Returns the simulation budget of one batch size; counts its steps, and cancels the simulation with the
    /// search.
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

    /// Returns the estimator with each call counted, and canceled with the search.
    ForwardEstimator watch(ForwardEstimator estimator) {
        return new WatchedEstimator(estimator, this);
    }

    /// Returns the work, whose failure fails all other work of the search.
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

    /// Throws on this thread if the search is canceled, or if it failed on another thread.
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
