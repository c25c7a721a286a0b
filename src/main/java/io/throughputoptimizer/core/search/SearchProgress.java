package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;

/// Counts what a search does, tells its monitor, and ends it when the monitor says so. Thread-safe.
final class SearchProgress {
    private final SearchMonitor monitor;
    private final LongAdder points = new LongAdder();
    private final LongAdder forwardPasses = new LongAdder();

    SearchProgress(SearchMonitor monitor) {
        this.monitor = monitor;
    }

    /// The same estimates, each counted, and refused once the search is cancelled.
    ForwardEstimator watch(ForwardEstimator estimator) {
        return new WatchedEstimator(estimator, this);
    }

    void failWhenCancelled() {
        if (monitor.cancelled()) {
            throw new CancellationException("the search was cancelled");
        }
    }

    void pointEvaluated() {
        points.increment();
        monitor.pointEvaluated();
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

    private record WatchedEstimator(ForwardEstimator estimator, SearchProgress progress) implements ForwardEstimator {
        @Override
        public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
            progress.failWhenCancelled();
            progress.forwardPasses.increment();
            return estimator.estimate(deployment, shape);
        }
    }
}
