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

/// A search of one phase over all layouts.
///
/// @param deviceCount devices of the instance that is searched
/// @param limits the limits that bind in this phase
/// @param objective what its rows are ranked by
/// @param listsRows whether the result lists every recorded row
record PhasePlan(Phase phase, int deviceCount, Limits limits, Objective objective, boolean listsRows) {

    /// Searches that a problem asks for, in the order of its results.
    ///
    /// @param device name of the kind of device that is searched
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

    /// A TTFT limit asks for prefill instances, a TPOT limit for decode instances, each searched with its own limit
    /// only.
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

    /// Both phases are searched whichever limits there are.
    private static List<PhasePlan> both(OptimizationProblem problem, Pairing pairing, String device) {
        return Stream.concat(
                        pairing.prefillSizes(device, problem.available()).stream()
                                .map(size -> plan(problem, Phase.PREFILL, size)),
                        pairing.decodeSizes(device, problem.available()).stream()
                                .map(size -> plan(problem, Phase.DECODE, size)))
                .toList();
    }

    /// Whether its instances make whole answers together with others, in a time that is limited: any batch size may
    /// then be best beside some of theirs.
    boolean sharesAnswers() {
        return phase != Phase.AGGREGATION && limits.boundsAnswers();
    }

    /// How batch sizes are looked for.
    BatchSearch search(BatchStrategy strategy) {
        return sharesAnswers() && strategy != BatchStrategy.EXHAUSTIVE ? BatchSearch.dense() : strategy.search();
    }

    /// The same with another limits.
    PhasePlan with(Limits other) {
        return new PhasePlan(phase, deviceCount, other, objective, listsRows);
    }

    private static PhasePlan plan(OptimizationProblem problem, Phase phase, int deviceCount) {
        OptimizationProblem.Demand demand = problem.demand();
        return new PhasePlan(
                phase, deviceCount, demand.limits().in(phase), demand.ranking().in(phase), problem.dumpRecordedRows());
    }
}
