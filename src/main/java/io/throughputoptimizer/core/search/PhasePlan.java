package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationProblem.InstanceSizes;
import io.throughputoptimizer.core.serving.MemoryAllowance;
import io.throughputoptimizer.core.serving.Serving;
import io.throughputoptimizer.core.serving.ServingTerms;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A search of one phase over all layouts.
///
/// @param deviceCount devices of the instance that is searched
/// @param objective the limits that bind in this phase
/// @param listsRows whether the result lists every recorded row
record PhasePlan(Phase phase, int deviceCount, ServiceObjective objective, boolean listsRows) {

    /// Searches that a problem asks for, in the order of its results.
    static List<PhasePlan> of(OptimizationProblem problem) {
        ServiceObjective objective = problem.demand().objective();
        return switch (problem.search().mode()) {
            case AGGREGATION -> List.of(plan(problem, Phase.AGGREGATION, problem.deviceCount(), objective));
            case DISAGGREGATION -> limited(problem, objective);
            case PD_RATIO ->
                both(
                        problem,
                        Objects.requireNonNull(
                                problem.search().instances(), "no sizes of prefill and decode instances"),
                        objective);
        };
    }

    /// A TTFT limit asks for prefill instances, a TPOT limit for decode instances, each searched with its own limit
    /// only.
    private static List<PhasePlan> limited(OptimizationProblem problem, ServiceObjective objective) {
        List<PhasePlan> plans = new ArrayList<>();
        if (objective.ttftMillis() != null) {
            plans.add(plan(problem, Phase.PREFILL, problem.deviceCount(), objective.ttftOnly()));
        }
        if (objective.tpotMillis() != null) {
            plans.add(plan(problem, Phase.DECODE, problem.deviceCount(), objective.tpotOnly()));
        }
        return plans;
    }

    /// Both phases are searched whichever limits there are.
    private static List<PhasePlan> both(OptimizationProblem problem, InstanceSizes sizes, ServiceObjective objective) {
        return List.of(
                plan(problem, Phase.PREFILL, sizes.prefillDevices(), objective.ttftOnly()),
                plan(problem, Phase.DECODE, sizes.decodeDevices(), objective.tpotOnly()));
    }

    private static PhasePlan plan(
            OptimizationProblem problem, Phase phase, int deviceCount, ServiceObjective objective) {
        return new PhasePlan(phase, deviceCount, objective, problem.dumpRecordedRows());
    }

    /// An instance of this phase at work.
    ///
    /// @param allowance what the evaluation of one batch size may hold
    Serving serving(Candidate candidate, ForwardEstimator estimator, MemoryAllowance allowance) {
        Deployment deployment = candidate.deployment();
        ServingTerms terms = candidate.terms();
        return switch (phase) {
            case PREFILL -> Serving.prefill(deployment, terms, estimator);
            case DECODE -> Serving.decode(deployment, terms, estimator);
            case AGGREGATION -> Serving.aggregated(deployment, terms, estimator, allowance);
        };
    }
}
