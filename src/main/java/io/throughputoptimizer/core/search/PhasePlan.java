package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.serving.Serving;
import io.throughputoptimizer.core.serving.ServingTerms;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.ArrayList;
import java.util.List;

/// A search of one phase over all layouts.
///
/// @param objective the limits that bind in this phase
record PhasePlan(Phase phase, ServiceObjective objective, ServingTerms terms) {

    /// Searches that a problem asks for, in the order of its results.
    static List<PhasePlan> of(OptimizationProblem problem) {
        return switch (problem.search().mode()) {
            case DISAGGREGATION -> disaggregated(problem.demand().objective(), problem.servingTerms());
            case AGGREGATION, PD_RATIO ->
                throw new UnsupportedOperationException(
                        "mode " + problem.search().mode() + " is not available yet: only DISAGGREGATION is");
        };
    }

    /// A TTFT limit asks for prefill instances, a TPOT limit for decode instances, each searched with its own limit
    /// only.
    private static List<PhasePlan> disaggregated(ServiceObjective objective, ServingTerms terms) {
        List<PhasePlan> plans = new ArrayList<>();
        if (objective.ttftMillis() != null) {
            plans.add(new PhasePlan(Phase.PREFILL, objective.ttftOnly(), terms));
        }
        if (objective.tpotMillis() != null) {
            plans.add(new PhasePlan(Phase.DECODE, objective.tpotOnly(), terms));
        }
        return plans;
    }

    /// An instance of this phase at work.
    Serving serving(Deployment deployment, ForwardEstimator estimator) {
        return switch (phase) {
            case PREFILL -> Serving.prefill(deployment, terms, estimator);
            case DECODE -> Serving.decode(deployment, terms, estimator);
            case AGGREGATION -> throw new UnsupportedOperationException("phase AGGREGATION is not available yet");
        };
    }
}
