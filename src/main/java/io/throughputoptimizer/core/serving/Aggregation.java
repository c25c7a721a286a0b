package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.PrefillChunks;

/// The schedule of an instance that both prefills and decodes.
public enum Aggregation {
    /// A batch is prefilled whole, then it decodes.
    BY_BATCH {
        @Override
        Serving instance(
                Deployment deployment, ServingTerms terms, InstancePasses passes, SimulationAllowance allowance) {
            return switch (terms.workload().lengths()) {
                case Lengths.Fixed _ -> {
                    PrefillChunks chunks = terms.chunks();
                    yield chunks.count() == 1
                            ? new AggregatedServing(deployment, terms, passes, chunks.chunk(0))
                            : new ChunkedAggregatedServing(deployment, terms, passes, allowance);
                }
                case Lengths.Mixed mixed -> new MixedAggregatedServing(deployment, terms, passes, terms.mix(mixed));
            };
        }
    },

    /// Prompts come one by one while others decode.
    UNDER_LASTING_LOAD {
        @Override
        Serving instance(
                Deployment deployment, ServingTerms terms, InstancePasses passes, SimulationAllowance allowance) {
            return new SteadyServing(deployment, terms, passes);
        }
    };

    /// @param allowance limits of the simulation of its steps
    abstract Serving instance(
            Deployment deployment, ServingTerms terms, InstancePasses passes, SimulationAllowance allowance);
}
