package io.throughputoptimizer.core.explain;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.measured.MeasuredInstances;
import io.throughputoptimizer.core.measured.MeasuredPoint;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.MeasuredResult.Found;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.PairObjective;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// The best answer to a question, in short.
///
/// @param instances one; of a P/D ratio the prefill and the decode instance
/// @param rate tokens per second; of a plain P/D ratio of cost model analytic balanced requests per second
/// @param together what pairs in numbers of instances are together; absent of other plans
/// @param objective what it is ranked by, and for how much; absent where it is the usual and nobody asked for it
/// @param evenly devices that it could grow by: those of a tensor parallel group, of a replica, or of the smaller
///     instance of a pair
/// @param choice what of an analytic one others can be chosen for; absent on measured devices
public record Plan(
        List<Instance> instances,
        double rate,
        int evenly,
        @Nullable Together together,
        @Nullable Achieved objective,
        @Nullable Chosen choice) {

    /// @param candidate that of the only, or of the prefill instance
    /// @param maxBatchedTokens token budget of one prefill pass
    public record Chosen(Candidate candidate, int maxBatchedTokens) {}

    /// @param value absent where it is infinite
    public record Achieved(Objective objective, @Nullable Double value) {}

    /// All instances of a pair.
    ///
    /// @param concurrency requests that clients have outstanding; known on measured devices only
    /// @param devices that work
    public record Together(@Nullable Long concurrency, int devices, double tokensPerSecondPerDevice) {}

    /// @param label short name of how its devices are split, and of what else was chosen
    /// @param count how many there are; absent unless the plan has numbers of two kinds
    /// @param batchSize requests per data parallel rank; absent where only those of all instances are known
    /// @param concurrency requests of the instance; absent where only those of all instances are known
    /// @param ttftMillis absent where no prompts are computed
    /// @param tpotMillis absent where no tokens are generated
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

    /// The best of what was found on a device for one aim.
    static Optional<Plan> best(DeviceResult found, RooflineQuestion question) {
        Aim aim = question.aim();
        Demand demand = question.problem().demand();
        Objective asked = demand.objective();
        return switch (aim) {
            case AGGREGATION, PREFILL, DECODE -> bestRow(found, aim).map(row -> of(row, aim, asked));
            case PD_RATIO ->
                Optional.ofNullable(found.pdRatio())
                        .flatMap(ratio -> ratio.rows().stream().findFirst())
                        .map(pair -> pair.together() == null
                                ? of(
                                        pair,
                                        PairObjective.of(demand),
                                        bestRow(found, aim)
                                                .orElseThrow()
                                                .prefill()
                                                .maxBatchedTokens())
                                : of(
                                        pair,
                                        pair.together(),
                                        PairObjective.of(demand),
                                        demand.workload().outputs().mean()));
        };
    }

    /// The best of what was found on a measured device.
    static Optional<Plan> best(Found found, MeasuredProblem problem) {
        return found.rows().stream().findFirst().map(row -> of(row.at(), problem));
    }

    private static Plan of(MeasuredPoint at, MeasuredProblem problem) {
        Objective objective = problem.demand().objective();
        String device = problem.devices().getFirst().name();
        return new Plan(
                switch (at.instances()) {
                    case MeasuredInstances.Replicas replicas -> List.of(instance(at, replicas));
                    case MeasuredInstances.Pair pair -> instances(at, pair);
                },
                at.tokensPerSecond().value(),
                switch (at.instances()) {
                    case MeasuredInstances.Replicas replicas ->
                        replicas.deployment().layout().deviceCount();
                    case MeasuredInstances.Pair pair ->
                        Math.min(
                                pair.prefill().layout().deviceCount(),
                                pair.decode().layout().deviceCount());
                },
                switch (at.instances()) {
                    case MeasuredInstances.Replicas _ -> null;
                    case MeasuredInstances.Pair _ ->
                        new Together(
                                at.concurrency(),
                                at.devices(),
                                at.tokensPerSecondPerDevice().value());
                },
                objective == null ? null : new Achieved(objective, orAbsent(objective.value(at.delivered(device)))),
                null);
    }

    private static Instance instance(MeasuredPoint at, MeasuredInstances.Replicas replicas) {
        return new Instance(
                replicas.arrangement().label(),
                null,
                at.ofRank(),
                at.concurrency(),
                at.ttftMillis().value(),
                at.tpotMillis().value());
    }

    private static List<Instance> instances(MeasuredPoint at, MeasuredInstances.Pair pair) {
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

    /// Of a plan of cost model analytic.
    Chosen chosen() {
        return requireNonNull(choice, "a plan on measured devices has no candidate");
    }

    private static Optional<ResultRow> bestRow(DeviceResult found, Aim aim) {
        return found.phases().stream()
                .filter(phase -> aim.covers(phase.phase()))
                .limit(1)
                .flatMap(phase -> phase.rows().stream())
                .findFirst();
    }

    private static Plan of(ResultRow row, Aim aim, @Nullable Objective asked) {
        Objective objective = asked == null || aim != Aim.PREFILL ? asked : asked.in(Phase.PREFILL);
        ResultRow.Figures figures = row.figures();
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

    private static Plan of(PdRatioRow row, @Nullable PairObjective objective, int maxBatchedTokens) {
        PdRatioRow.Side prefill = row.prefill();
        PdRatioRow.Side decode = row.decode();
        return new Plan(
                List.of(
                        new Instance(
                                prefill.candidate().label(),
                                null,
                                prefill.batchSize(),
                                prefill.concurrency(),
                                prefill.latencyMillis(),
                                null),
                        new Instance(
                                decode.candidate().label(),
                                null,
                                decode.batchSize(),
                                decode.concurrency(),
                                null,
                                decode.latencyMillis())),
                row.balancedQps(),
                smaller(row),
                null,
                objective == null ? null : new Achieved(objective.objective(), orAbsent(objective.value(row))),
                new Chosen(prefill.candidate(), maxBatchedTokens));
    }

    /// A pair in numbers of instances.
    private static Plan of(
            PdRatioRow row, PdRatioRow.Together together, @Nullable PairObjective objective, double outputTokens) {
        PdRatioRow.Side prefill = row.prefill();
        PdRatioRow.Side decode = row.decode();
        InstanceCounts counts = requireNonNull(row.instances(), "a pair without numbers of instances");
        double rate = together.qps() * outputTokens;
        return new Plan(
                List.of(
                        new Instance(
                                prefill.candidate().label(),
                                counts.prefill(),
                                prefill.batchSize(),
                                prefill.concurrency(),
                                together.ttftMillis(),
                                null),
                        new Instance(
                                decode.candidate().label(),
                                counts.decode(),
                                decode.batchSize(),
                                decode.concurrency(),
                                null,
                                decode.latencyMillis())),
                rate,
                smaller(row),
                new Together(null, together.devices(), rate / together.devices()),
                objective == null ? null : new Achieved(objective.objective(), orAbsent(objective.value(row))),
                new Chosen(prefill.candidate(), prefill.candidate().terms().maxBatchedTokens()));
    }

    /// By how much another plan differs in what plans are ranked by: `other / this - 1`; absent where one of them is
    /// infinite.
    @Nullable
    Double effectOf(Plan other) {
        double effect = other.ranked() / ranked() - 1;
        return Double.isFinite(effect) ? effect : null;
    }

    /// Whether it is ranked before another one.
    boolean isBetterThan(Plan other, Objective objective) {
        return objective.isCost() ? ranked() < other.ranked() : ranked() > other.ranked();
    }

    private static int smaller(PdRatioRow row) {
        return Math.min(
                row.prefill().candidate().layout().deviceCount(),
                row.decode().candidate().layout().deviceCount());
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
