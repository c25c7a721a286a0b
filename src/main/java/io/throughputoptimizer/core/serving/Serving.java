package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.PrefillChunks;

/// One instance at work: turns a batch size into latencies, throughput and memory by pricing the forward passes
/// that serve it. Thread-safe when its estimator is.
public sealed interface Serving
        permits PrefillServing,
                MixedPrefillServing,
                DecodeServing,
                AggregatedServing,
                ChunkedAggregatedServing,
                SteadyServing,
                CacheBoundServing {

    /// Returns the serving point with `batchSize` requests per data parallel rank.
    ServingPoint at(long batchSize);

    /// An instance that computes prompts only.
    static Serving prefill(Deployment deployment, ServingTerms terms, ForwardEstimator estimator) {
        InstancePasses passes = new InstancePasses(deployment, terms, estimator);
        Serving instance = switch (terms.workload().lengths()) {
            case Lengths.Fixed fixed -> new PrefillServing(deployment, terms, passes, fixed);
            case Lengths.Mixed mixed -> new MixedPrefillServing(deployment, terms, passes, terms.mix(mixed));
        };
        int prompt = terms.workload().effectiveInputLength();
        return new CacheBoundServing(instance, deployment, terms.workload(), passes, prompt);
    }

    /// An instance that generates tokens only.
    static Serving decode(Deployment deployment, ServingTerms terms, ForwardEstimator estimator) {
        InstancePasses passes = new InstancePasses(deployment, terms, estimator);
        return new CacheBoundServing(
                new DecodeServing(deployment, terms, passes),
                deployment,
                terms.workload(),
                passes,
                terms.decodeContext(deployment));
    }

    /// An instance that does both.
    static Serving aggregated(Deployment deployment, ServingTerms terms, ForwardEstimator estimator) {
        return aggregated(deployment, terms, estimator, SimulationAllowance.UNLIMITED);
    }

    /// An instance that does both.
    ///
    /// @param allowance limits of the simulation of its steps
    static Serving aggregated(
            Deployment deployment, ServingTerms terms, ForwardEstimator estimator, SimulationAllowance allowance) {
        InstancePasses passes = new InstancePasses(deployment, terms, estimator);
        Serving instance = terms.accounting().isReference()
                ? documented(deployment, terms, passes, allowance)
                : new SteadyServing(deployment, terms, passes);
        return new CacheBoundServing(instance, deployment, terms.workload(), passes, terms.decodeContext(deployment));
    }

    private static Serving documented(
            Deployment deployment, ServingTerms terms, InstancePasses passes, SimulationAllowance allowance) {
        PrefillChunks chunks = terms.chunks();
        return chunks.count() == 1
                ? new AggregatedServing(deployment, terms, passes, chunks.chunk(0))
                : new ChunkedAggregatedServing(deployment, terms, passes, allowance);
    }
}
