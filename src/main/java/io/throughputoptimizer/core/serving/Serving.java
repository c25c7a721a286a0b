package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.PrefillChunks;
import io.throughputoptimizer.core.workload.RequestMix;

/// One instance at work: turns a batch size into latencies, throughput and memory by pricing the forward passes
/// that serve it. Thread-safe when its estimator is.
public sealed interface Serving
        permits PrefillServing,
                MixedPrefillServing,
                DecodeServing,
                AggregatedServing,
                ChunkedAggregatedServing,
                MixedAggregatedServing {

    /// What the instance delivers with `batchSize` requests per data parallel rank.
    ServingPoint at(long batchSize);

    /// An instance that computes prompts only.
    static Serving prefill(Deployment deployment, ServingTerms terms, ForwardEstimator estimator) {
        InstancePasses passes = new InstancePasses(deployment, terms, estimator);
        return switch (terms.workload().lengths()) {
            case Lengths.Fixed fixed -> new PrefillServing(deployment, terms, passes, fixed);
            case Lengths.Mixed mixed -> new MixedPrefillServing(deployment, terms, passes, mix(mixed, terms));
        };
    }

    /// An instance that generates tokens only.
    static Serving decode(Deployment deployment, ServingTerms terms, ForwardEstimator estimator) {
        return new DecodeServing(deployment, terms, new InstancePasses(deployment, terms, estimator));
    }

    /// An instance that does both.
    static Serving aggregated(Deployment deployment, ServingTerms terms, ForwardEstimator estimator) {
        InstancePasses passes = new InstancePasses(deployment, terms, estimator);
        return switch (terms.workload().lengths()) {
            case Lengths.Fixed _ -> {
                PrefillChunks chunks = terms.chunks();
                yield chunks.count() == 1
                        ? new AggregatedServing(deployment, terms, passes, chunks.chunk(0))
                        : new ChunkedAggregatedServing(deployment, terms, passes, chunks);
            }
            case Lengths.Mixed mixed -> new MixedAggregatedServing(deployment, terms, passes, mix(mixed, terms));
        };
    }

    private static RequestMix mix(Lengths.Mixed mixed, ServingTerms terms) {
        return RequestMix.of(mixed.distribution(), terms.workload().prefixCacheHitRate());
    }
}
