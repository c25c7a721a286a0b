package io.throughputoptimizer.core.explain;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.calibrated.CalibratedInstances;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Found;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.PairObjective;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Summary of the best plan of a search.
///
/// @param instances one instance, or the prefill and decode instances of a P:D ratio
/// @param rate tokens per second; balanced requests per second for a plain P:D ratio of the analytic model
/// @param together figures of all instances of a pair in numbers of instances; null for other plans
/// @param objective objective and its value; null for the default objective
/// @param evenly devices by which it can grow: a tensor parallel group, a replica, or the smaller instance of a
///     pair
/// @param choice options of an analytic plan that have alternatives; null in the calibrated model
public record Plan(
        List<Instance> instances,
        double rate,
        int evenly,
        @Nullable Together together,
        @Nullable Achieved objective,
        @Nullable Chosen choice) {

    /// @param candidate candidate of the only or the prefill instance
    /// @param maxBatchedTokens token budget of one prefill pass
    public record Chosen(Candidate candidate, int maxBatchedTokens) {}

    /// @param value null if infinite
    public record Achieved(Objective objective, @Nullable Double value) {}

    /// Figures of all instances of a pair.
    ///
    /// @param concurrency outstanding requests of clients; calibrated model only
    /// @param devices devices in use
    public record Together(@Nullable Long concurrency, int devices, double tokensPerSecondPerDevice) {}

    /// @param label short name of the layout and other options
    /// @param count number of instances; null unless the plan counts two kinds
    /// @param batchSize requests per data parallel rank; null if only the total over all instances is known
    /// @param concurrency requests per instance; null if only the total over all instances is known
    /// @param ttftMillis null if the instance computes no prompts
    /// @param tpotMillis null if the instance generates no tokens
    public record Instance(
            String label,
            @Nullable Integer count,
            @Nullable Long batchSize,
            @Nullable Long concurrency,
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis) {}

    public Plan {
        instances = List.copyOf(instances);
    }

    /// Returns the best plan of a device result.
    static Optional<Plan> best(DeviceResult found, RooflineQuestion question) {
        QuestionKind aim = question.aim();
        Demand demand = question.problem().demand();
        Objective asked = demand.objective();
        return switch (aim) {
            case AGGREGATION, PREFILL, DECODE -> bestRow(found, aim).map(row -> of(row, aim, asked));
            case PD_RATIO ->
                Optional.ofNullable(found.pdRatio())
                        .flatMap(ratio -> ratio.rows().stream().findFirst())
                        .map(pair -> of(
                                pair,
                                PairObjective.of(demand),
                                demand.workload().outputs().mean(),
                                pair.together() == null
                                        ? bestRow(found, aim)
                                                .orElseThrow()
                                                .prefill()
                                                .maxBatchedTokens()
                                        : pair.prefill().candidate().terms().maxBatchedTokens()));
        };
    }

    /// Returns the best plan of a calibrated result.
    static Optional<Plan> best(Found found, CalibratedProblem problem) {
        return found.rows().stream().findFirst().map(row -> of(row.at(), problem));
    }

    private static Plan of(CalibratedPoint at, CalibratedProblem problem) {
        Objective objective = problem.demand().objective();
        String device = problem.devices().getFirst().name();
        return new Plan(
                switch (at.instances()) {
                    case CalibratedInstances.Replicas replicas -> List.of(instance(at, replicas));
                    case CalibratedInstances.Pair pair -> instances(at, pair);
                },
                at.tokensPerSecond().value(),
                switch (at.instances()) {
                    case CalibratedInstances.Replicas replicas ->
                        replicas.deployment().layout().deviceCount();
                    case CalibratedInstances.Pair pair ->
                        Math.min(
                                pair.prefill().layout().deviceCount(),
                                pair.decode().layout().deviceCount());
                },
                switch (at.instances()) {
                    case CalibratedInstances.Replicas _ -> null;
                    case CalibratedInstances.Pair _ ->
                        new Together(
                                at.concurrency(),
                                at.devices(),
                                at.tokensPerSecondPerDevice().value());
                },
                objective == null ? null : new Achieved(objective, orAbsent(objective.value(at.delivered(device)))),
                null);
    }

    private static Instance instance(CalibratedPoint at, CalibratedInstances.Replicas replicas) {
        return new Instance(
                replicas.arrangement().label(),
                null,
                at.ofRank(),
                at.concurrency(),
                at.ttftMillis().value(),
                at.tpotMillis().value());
    }

    private static List<Instance> instances(CalibratedPoint at, CalibratedInstances.Pair pair) {
        return List.of(
                new Instance(
                        pair.prefill().layout().label(),
                        pair.counts().prefill(),
                        null,
                        null,
                        at.ttftMillis().value(),
                        null),
                new Instance(
                        pair.decode().form().label(),
                        pair.counts().decode(),
                        null,
                        null,
                        null,
                        at.tpotMillis().value()));
    }

    /// Returns the options of an analytic plan.
    Chosen chosen() {
        return requireNonNull(choice, "a plan on measured devices has no candidate");
    }

    private static Optional<ResultRow> bestRow(DeviceResult found, QuestionKind aim) {
        return found.phases().stream()
                .filter(phase -> aim.covers(phase.phase()))
                .limit(1)
                .flatMap(phase -> phase.rows().stream())
                .findFirst();
    }

    private static Plan of(ResultRow row, QuestionKind aim, @Nullable Objective asked) {
        Objective objective = asked == null || aim != QuestionKind.PREFILL ? asked : asked.in(Phase.PREFILL);
        Figures figures = row.figures();
        Instance instance = new Instance(
                row.candidate().label(),
                null,
                row.batchSize(),
                row.concurrency(),
                figures.ttftMillis(),
                figures.tpotMillis());
        return new Plan(
                List.of(instance),
                figures.tokensPerSecond(),
                row.layout().tp(),
                null,
                objective == null ? null : new Achieved(objective, orAbsent(objective.value(row))),
                new Chosen(row.candidate(), row.prefill().maxBatchedTokens()));
    }

    private static Plan of(
            PdRatioRow row, @Nullable PairObjective objective, double outputTokens, int maxBatchedTokens) {
        PdRatioRow.Side prefill = row.prefill();
        PdRatioRow.Side decode = row.decode();
        PdRatioRow.Together together = row.together();
        InstanceCounts counts = together == null ? null : requireNonNull(row.instances());
        double rate = together == null ? row.balancedRequestsPerS() : together.requestsPerS() * outputTokens;
        return new Plan(
                List.of(
                        new Instance(
                                prefill.candidate().label(),
                                counts == null ? null : (Integer) counts.prefill(),
                                prefill.batchSize(),
                                prefill.concurrency(),
                                together == null ? prefill.latencyMillis() : together.ttftMillis(),
                                null),
                        new Instance(
                                decode.candidate().label(),
                                counts == null ? null : (Integer) counts.decode(),
                                decode.batchSize(),
                                decode.concurrency(),
                                null,
                                decode.latencyMillis())),
                rate,
                Math.min(prefill.deviceCount(), decode.deviceCount()),
                together == null ? null : new Together(null, together.devices(), rate / together.devices()),
                objective == null ? null : new Achieved(objective.objective(), orAbsent(objective.value(row))),
                new Chosen(prefill.candidate(), maxBatchedTokens));
    }

    /// Returns the relative change of the objective under another plan, `other / this - 1`; null if either
    /// value is infinite.
    @Nullable
    Double effectOf(Plan other) {
        double effect = other.ranked() / ranked() - 1;
        return Double.isFinite(effect) ? effect : null;
    }

    /// Returns whether it ranks before another plan.
    boolean isBetterThan(Plan other, Objective objective) {
        return objective.isCost() ? ranked() < other.ranked() : ranked() > other.ranked();
    }

    private double ranked() {
        if (objective == null) {
            return together == null ? rate : together.tokensPerSecondPerDevice;
        }
        return objective.value == null ? Double.POSITIVE_INFINITY : objective.value;
    }

    private static @Nullable Double orAbsent(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }
}
