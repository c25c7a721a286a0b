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
@Schema(name = "Frontier")
public record FrontierResponse(
        @Schema(allowableValues = {"aggregation", "prefill", "decode", "pd_ratio"})
        String phase,

        @Nullable Boolean byLimit,
        @Nullable List<FrontierPointResponse> points,
        @Nullable Long untriedAbove) {
    private static final double MILLIS = 1000;

    /// Returns the known points.
    public List<FrontierPointResponse> known() {
        return points == null ? List.of() : points;
    }

    /// A point that no other one beats.
    @Schema(name = "FrontierPoint")
    public record FrontierPointResponse(
            @Nullable ParallelResponse parallel,
            @JsonUnwrapped @Nullable PairedResponse pair,
            @Nullable Long batchSize,
            @Nullable Long concurrency,
            @Nullable Double ttftMs,
            @Nullable Double tpotMs,
            double tokensPerS,
            double tokensPerSPerDevice,
            @Nullable Double tokensPerSPerUser,
            @Nullable Double costPerMillionTokens,
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
    @Schema(name = "PairedInstances")
    public record PairedResponse(
            @Nullable ParallelResponse parallelP,
            @Nullable ParallelResponse parallelD,
            @Nullable Integer prefillInstances,
            @Nullable Integer decodeInstances,
            @Nullable Integer devicesUsed,
            @JsonProperty("batch_size_p") @Nullable Long prefillBatchSize,
            @JsonProperty("batch_size_d") @Nullable Long decodeBatchSize) {

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
