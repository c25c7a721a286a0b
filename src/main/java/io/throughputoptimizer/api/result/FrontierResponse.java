package io.throughputoptimizer.api.result;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.PointBandsResponse;
import io.throughputoptimizer.core.calibrated.CalibratedInstances;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedPoint.TriedPoint;
import io.throughputoptimizer.core.explain.Explanation.LoadsFrontier;
import io.throughputoptimizer.core.explain.Explanation.PairsFrontier;
import io.throughputoptimizer.core.explain.Explanation.ParetoFront;
import io.throughputoptimizer.core.explain.Explanation.PhaseFrontier;
import io.throughputoptimizer.core.explain.Explanation.PointOfPair;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.PairObjective;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PdRatioRow.Together;
import io.throughputoptimizer.core.search.SearchPoint;
import io.throughputoptimizer.core.serving.Figures;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Pareto frontier of a phase.
@Schema(
        name = "Frontier",
        description = "Pareto-optimal points of a phase in tokens per second, TTFT and TPOT, over all"
                + " candidates and batch sizes, feasible or not. Calibrated pairs of instances are also"
                + " compared by tokens per second and device. With lists, several device types or a KV"
                + " transfer in `pd_ratio`, the frontier shows the cost of each target instead. Among"
                + " the pairs that meet the TTFT target, it has those that are Pareto-optimal in the"
                + " objective and TPOT. Among those that meet the TPOT target, it has those that are"
                + " Pareto-optimal in the objective and TTFT. A target that no pair meets is omitted.")
public record FrontierResponse(
        @Schema(
                description = "The phase; `pd_ratio` of pairs in numbers of instances.",
                allowableValues = {"aggregation", "prefill", "decode", "pd_ratio"})
        String phase,

        @Schema(
                description = "True if the points show the cost of each target: pairs with lists, several device"
                        + " types or a KV transfer in `pd_ratio`. Otherwise absent.")
        @Nullable
        Boolean byLimit,

        @Schema(description = "Points by decreasing tokens per second. Requires `include=frontier` in JSON.") @Nullable
        List<FrontierPointResponse> points,

        @Schema(
                description = "Batch size beyond which not every candidate was tried, because that would simulate too"
                        + " many steps; where steps cut prompts. Absent where all were tried until memory, or the"
                        + " range of batch sizes, ends.")
        @Nullable
        Long untriedAbove) {
    private static final double MILLIS = 1000;

    /// Returns the known points.
    public List<FrontierPointResponse> known() {
        return points == null ? List.of() : points;
    }

    /// A point that no other one beats.
    @Schema(name = "FrontierPoint", description = "A configuration that no other one beats.")
    public record FrontierPointResponse(
            @Schema(description = "Parallel layout. Absent for pairs of instances.") @Nullable
            ParallelResponse parallel,

            @JsonUnwrapped @Nullable PairedResponse pair,

            @Schema(description = "Requests per data parallel rank; absent of pairs of instances.") @Nullable
            Long batchSize,

            @Schema(
                    description = "Requests of the whole instance; of pairs with cost model `calibrated` those over all"
                            + " instances, absent of other pairs.")
            @Nullable
            Long concurrency,

            @Schema(description = "Time to first token in ms, with `kv_transfer` that with it; absent in decode.")
            @Nullable
            Double ttftMs,

            @Schema(description = "Time per output token in ms; absent in prefill.") @Nullable
            Double tpotMs,

            @Schema(description = "Tokens per second: input tokens in prefill, output tokens else.")
            double tokensPerS,

            @Schema(description = "`tokens_per_s` divided by the devices.")
            double tokensPerSPerDevice,

            @Schema(description = "Tokens per second per user, 1000 / `tpot_ms`. Absent in prefill.") @Nullable
            Double tokensPerSPerUser,

            @Schema(description = "Cost per million tokens at the point. Requires objective `cost_per_million_tokens`.")
            @Nullable
            Double costPerMillionTokens,

            @Schema(description = "True if all targets are met.")
            boolean withinSlo,

            @JsonUnwrapped @Nullable PointBandsResponse bands) {
        public FrontierPointResponse {
            bands = PointBandsResponse.orAbsent(bands);
            pair = PairedResponse.orAbsent(pair);
        }

        private static FrontierPointResponse from(SearchPoint point, @Nullable Objective objective) {
            Figures figures = point.figures();
            Double tpot = figures.tpotMillis();
            return new FrontierPointResponse(
                    ParallelResponse.from(point.candidate()),
                    null,
                    point.batchSize(),
                    point.concurrency(),
                    figures.ttftMillis(),
                    tpot,
                    figures.tokensPerSecond(),
                    figures.tokensPerSecond() / point.candidate().layout().deviceCount(),
                    tpot == null || tpot == 0 ? null : MILLIS / tpot,
                    objective != null && objective.isCost() ? cost(objective.value(point)) : null,
                    point.withinLimits(),
                    null);
        }

        private static FrontierPointResponse from(PointOfPair point, PairsFrontier frontier) {
            PdRatioRow row = point.row();
            Together together = requireNonNull(row.together(), "a pair without numbers of instances");
            double tokens = together.requestsPerS() * frontier.outputTokens();
            double tpot = row.decode().latencyMillis();
            PairObjective objective = frontier.objective();
            return new FrontierPointResponse(
                    null,
                    PairedResponse.from(row, together),
                    null,
                    null,
                    together.ttftMillis(),
                    tpot,
                    tokens,
                    tokens / together.devices(),
                    MILLIS / tpot,
                    objective != null && objective.objective().isCost() ? cost(objective.value(row)) : null,
                    point.withinLimits(),
                    null);
        }

        private static FrontierPointResponse from(TriedPoint point, LoadsFrontier frontier) {
            CalibratedPoint at = point.at();
            Objective objective = frontier.objective();
            boolean pair = at.instances() instanceof CalibratedInstances.Pair;
            return new FrontierPointResponse(
                    pair ? null : ParallelResponse.from(at.replicas().deployment()),
                    pair ? PairedResponse.from(at) : null,
                    pair ? null : (Long) at.ofRank(),
                    at.concurrency(),
                    at.ttftMillis().value(),
                    at.tpotMillis().value(),
                    at.tokensPerSecond().value(),
                    at.tokensPerSecondPerDevice().value(),
                    MILLIS / at.tpotMillis().value(),
                    objective != null && objective.isCost()
                            ? cost(objective.value(at.delivered(frontier.device())))
                            : null,
                    point.withinLimits(),
                    PointBandsResponse.of(at));
        }

        /// Returns the label.
        public String label() {
            if (parallel != null) {
                return parallel.label();
            }
            return pair == null ? "" : pair.label();
        }

        private static @Nullable Double cost(OptionalDouble cost) {
            return cost.isPresent() ? cost.getAsDouble() : null;
        }
    }

    static FrontierResponse from(ParetoFront frontier) {
        return switch (frontier) {
            case PhaseFrontier phase ->
                new FrontierResponse(
                        PhaseName.of(phase.phase()).wireName(),
                        null,
                        phase.points().stream()
                                .map(point -> FrontierPointResponse.from(point, phase.objective()))
                                .toList(),
                        phase.untriedAbove());
            case PairsFrontier pairs ->
                new FrontierResponse(
                        CrossHardwareResponse.PD_RATIO,
                        true,
                        pairs.points().stream()
                                .map(point -> FrontierPointResponse.from(point, pairs))
                                .toList(),
                        null);
            case LoadsFrontier loads ->
                new FrontierResponse(
                        WireFormat.name(loads.aim()),
                        loads.byLimit() ? true : null,
                        loads.points().stream()
                                .map(point -> FrontierPointResponse.from(point, loads))
                                .toList(),
                        null);
        };
    }

    /// Numbers of prefill and decode instances, as a point of a frontier names them.
    @Schema(name = "PairedInstances", description = "Numbers of prefill and decode instances, named as in rows.")
    public record PairedResponse(
            @Schema(description = "Parallel layout of a prefill instance.") @Nullable
            ParallelResponse parallelP,

            @Schema(description = "Parallel layout of a decode instance.") @Nullable
            ParallelResponse parallelD,

            @Schema(description = "Prefill instances.") @Nullable
            Integer prefillInstances,

            @Schema(description = "Decode instances.") @Nullable
            Integer decodeInstances,

            @Schema(description = "Devices of all instances; the others are idle.") @Nullable
            Integer devicesUsed,

            @JsonProperty("batch_size_p")
            @Schema(description = "Requests per data parallel rank of a prefill instance; cost model `analytic` only.")
            @Nullable
            Long prefillBatchSize,

            @JsonProperty("batch_size_d")
            @Schema(description = "Requests per data parallel rank of a decode instance; cost model `analytic` only.")
            @Nullable
            Long decodeBatchSize) {

        static PairedResponse from(CalibratedPoint at) {
            CalibratedInstances.Pair pair = at.pair();
            return new PairedResponse(
                    ParallelResponse.from(pair.prefill()),
                    ParallelResponse.from(pair.decode()),
                    pair.counts().prefill(),
                    pair.counts().decode(),
                    at.devices(),
                    null,
                    null);
        }

        static PairedResponse from(PdRatioRow row, PdRatioRow.Together together) {
            InstanceCounts counts = requireNonNull(row.instances(), "a pair without numbers of instances");
            return new PairedResponse(
                    ParallelResponse.from(row.prefill().candidate()),
                    ParallelResponse.from(row.decode().candidate()),
                    counts.prefill(),
                    counts.decode(),
                    together.devices(),
                    row.prefill().batchSize(),
                    row.decode().batchSize());
        }

        /// Returns the response, or null for aggregated instances.
        static @Nullable PairedResponse orAbsent(@Nullable PairedResponse pair) {
            return pair == null || pair.parallelP == null ? null : pair;
        }

        /// Returns the label of the limiting constraint.
        String label() {
            return parallelP == null || parallelD == null
                    ? ""
                    : prefillInstances + " x " + parallelP.label() + " feed " + decodeInstances + " x "
                            + parallelD.label();
        }
    }
}
