package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.RequestMix;

/// One instance at work: turns a batch size into latencies, throughput and memory by pricing the forward passes
/// that serve it. Thread-safe when its estimator is.
public sealed interface Serving permits PrefillServing, MixedPrefillServing, DecodeServing {

    /// What the instance delivers with `batchSize` requests per data parallel rank.
    ServingPoint at(long batchSize);

    /// An instance that computes prompts only.
    static Serving prefill(Deployment deployment, ServingTerms terms, ForwardEstimator estimator) {
        return switch (terms.workload().lengths()) {
            case Lengths.Fixed fixed -> new PrefillServing(deployment, terms, fixed, estimator);
            case Lengths.Mixed mixed -> {
                RequestMix mix =
                        RequestMix.of(mixed.distribution(), terms.workload().prefixCacheHitRate());
                yield new MixedPrefillServing(deployment, terms, mix, estimator);
            }
        };
    }

    /// An instance that generates tokens only.
    static Serving decode(Deployment deployment, ServingTerms terms, ForwardEstimator estimator) {
        return new DecodeServing(deployment, terms, estimator);
    }
}
