package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.batch.BatchSearch;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// Search of one phase over all layouts.
///
/// @param deviceCount devices of the searched instance
/// @param limits latency targets that apply in this phase
/// @param objective objective that ranks its rows
/// @param listsRows whether the result lists every recorded row
record PhasePlan(Phase phase, int deviceCount, Limits limits, Objective objective, boolean listsRows) {

    /// Returns the searches of a problem, in the order of its results.
    ///
    /// @param device name of the kind of device to search
    static List<PhasePlan> of(OptimizationProblem problem, String device) {
        return switch (problem.search().mode()) {
            case AGGREGATION ->
                List.of(plan(problem, Phase.AGGREGATION, problem.available().of(device)));
            case DISAGGREGATION -> limited(problem, problem.available().of(device));
            case PD_RATIO ->
                both(
                        problem,
                        Objects.requireNonNull(
                                problem.search().instances(), "no sizes of prefill and decode instances"),
                        device);
        };
    }

    /// Returns prefill for a TTFT target and decode for a TPOT target, each with its own target only.
    private static List<PhasePlan> limited(OptimizationProblem problem, int deviceCount) {
        Limits limits = problem.demand().limits();
        List<PhasePlan> plans = new ArrayList<>();
        if (limits.ttftMillis() != null) {
            plans.add(plan(problem, Phase.PREFILL, deviceCount));
        }
        if (limits.tpotMillis() != null) {
            plans.add(plan(problem, Phase.DECODE, deviceCount));
        }
        return plans;
    }

    /// Returns both phases, independent of the targets.
    private static List<PhasePlan> both(OptimizationProblem problem, Pairing pairing, String device) {
        return Stream.concat(
                        pairing.prefillSizes(device, problem.available()).stream()
                                .map(size -> plan(problem, Phase.PREFILL, size)),
                        pairing.decodeSizes(device, problem.available()).stream()
                                .map(size -> plan(problem, Phase.DECODE, size)))
                .toList();
    }

    /// Returns whether the phase shares an end-to-end latency target with the other phase: any batch size may
    /// then be part of the best pair.
    boolean sharesAnswers() {
        return phase != Phase.AGGREGATION && limits.boundsAnswers();
    }

    /// Returns the batch size search.
    BatchSearch search(BatchStrategy strategy) {
        return sharesAnswers() && strategy != BatchStrategy.EXHAUSTIVE ? BatchSearch.dense() : strategy.search();
    }

    /// Returns a copy with other latency targets.
    PhasePlan with(Limits other) {
        return new PhasePlan(phase, deviceCount, other, objective, listsRows);
    }

    private static PhasePlan plan(OptimizationProblem problem, Phase phase, int deviceCount) {
        OptimizationProblem.Demand demand = problem.demand();
        return new PhasePlan(
                phase, deviceCount, demand.limits().in(phase), demand.ranking().in(phase), problem.dumpRecordedRows());
    }
}
