package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.ImageInput;
import io.throughputoptimizer.core.forward.PassEstimator;
import io.throughputoptimizer.core.forward.Request;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Cache of one candidate's pass estimates for equal requests: probes of different batch sizes and simulation
/// steps share many passes. Retains a bounded number, the first ones. Used by one thread.
///
/// A data parallel rank runs `ceil(concurrency / dp)` requests, so shapes with the same requests per rank share
/// an estimate.
final class RememberingEstimator implements ForwardEstimator {
    /// Bytes of a cached pass.
    static final long PASS_BYTES = 320;

    /// Maximum number of cached passes, about 5 MB; later passes are estimated each time.
    private static final int MOST = 16_384;

    private final Deployment candidate;
    private final PassEstimator passes;
    private final SearchProgress progress;
    private final Map<RankShape, ForwardEstimate> known = new HashMap<>();

    private record RankShape(
            long requests, Request request, @Nullable ImageInput images) {}

    RememberingEstimator(Deployment candidate, ForwardEstimator estimator, SearchProgress progress) {
        this.candidate = candidate;
        this.passes = estimator.on(candidate);
        this.progress = progress;
    }

    @Override
    public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
        return on(deployment).estimate(shape);
    }

    /// Returns the cached estimator.
    ///
    /// @param deployment deployment of the candidate
    /// @return estimates that fail with a [java.util.concurrent.CancellationException] soon after the search
    ///     was canceled, for cached passes too
    @Override
    public PassEstimator on(Deployment deployment) {
        if (!deployment.equals(candidate)) {
            throw new IllegalArgumentException(
                    "deployment is " + deployment.layout() + ": only " + candidate.layout() + " is remembered");
        }
        return this::estimate;
    }

    /// Returns the number of cached passes.
    int remembered() {
        return known.size();
    }

    private ForwardEstimate estimate(ForwardShape shape) {
        progress.failWhenCancelled();
        return switch (shape) {
            case ForwardShape.Uniform uniform -> {
                RankShape key = new RankShape(
                        Math.ceilDiv(uniform.concurrency(), candidate.layout().dp()),
                        uniform.request(),
                        uniform.images());
                ForwardEstimate remembered = known.get(key);
                yield remembered != null ? remembered : remember(key, passes.estimate(shape));
            }
            case ForwardShape.RequestList _ -> passes.estimate(shape);
        };
    }

    private ForwardEstimate remember(RankShape key, ForwardEstimate estimate) {
        if (known.size() < MOST) {
            known.put(key, estimate);
        }
        return estimate;
    }
}
