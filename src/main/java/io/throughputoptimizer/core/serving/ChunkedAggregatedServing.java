package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import java.util.List;

/// Prefill and decode on the same devices, prompts of one length and several chunks each
/// ([ChunkedPrefillSimulation]).
final class ChunkedAggregatedServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final InstancePasses passes;
    private final SimulationAllowance allowance;

    ChunkedAggregatedServing(
            Deployment deployment, ServingTerms terms, InstancePasses passes, SimulationAllowance allowance) {
        this.deployment = deployment;
        this.terms = terms;
        this.passes = passes;
        this.allowance = allowance;
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        ChunkedPrefillSimulation simulation = new ChunkedPrefillSimulation(
                terms, passes, terms.instanceTokenBudget(deployment.layout()), load, allowance);
        simulation.run();
        return new ServingPoint(
                load,
                simulation.figures(deployment.layout()),
                simulation.costs(),
                terms.chunks().count(),
                List.of());
    }
}
