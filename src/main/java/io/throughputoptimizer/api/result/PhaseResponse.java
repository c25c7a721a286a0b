package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.result.figure.EngineMemoryResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.PointBandsResponse;
import io.throughputoptimizer.core.calibrated.CalibratedInstances;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedPoint.TriedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedResult.MemoryShortage;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.search.SearchPoint;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Result of one phase on one kind of device.
@Schema(name = "PhaseResult")
public record PhaseResponse(
        @Schema(allowableValues = {"aggregation", "prefill", "decode"})
        PhaseName phase,

        @Nullable RowResponse best,
        List<RowResponse> rows,
        List<RejectedResponse> rejected,
        @Nullable List<PointResponse> points,
        @Nullable Long omittedPoints,
        @Nullable Long omittedRows,
        @Nullable String instances) {

    /// With all its rows, and without words about the devices.
    public PhaseResponse(
            PhaseName phase,
            @Nullable RowResponse best,
            List<RowResponse> rows,
            List<RejectedResponse> rejected,
            @Nullable List<PointResponse> points,
            @Nullable Long omittedPoints) {
        this(phase, best, rows, rejected, points, omittedPoints, null, null);
    }

    /// Returns the known points.
    public Stream<PointResponse> probes() {
        return points == null ? Stream.empty() : points.stream();
    }

    /// Returns a copy with the instances of its best row on the available devices.
    PhaseResponse withInstances() {
        return WireMember.copy(this, "instances", best == null ? null : instances(best));
    }

    private static String instances(RowResponse row) {
        int devices = row.parallel().numDevices();
        String of = devices == 1 ? "1 device" : devices + " devices";
        Integer replicas = row.steady() == null ? null : row.steady().replicas();
        return replicas == null || replicas == 1 ? "One instance of " + of : replicas + " instances of " + of + " each";
    }

    /// A layout without a row, and why.
    @Schema(name = "Rejected")
    public record RejectedResponse(
            ParallelResponse parallel,

            @Schema(allowableValues = {"memory", "ttft", "tpot", "model", "search", "rate", "batch_range"})
            String reason,

            @Nullable Long batchSize,
            String detail,
            @Nullable ShortageResponse memory,
            // For those who look for the nearest while it is there; it is not kept.
            @JsonIgnore @Schema(hidden = true) @Nullable Double ofLimit) {

        /// Creates a rejection as stored, or of a limit without a number.
        public RejectedResponse(ParallelResponse parallel, String reason, @Nullable Long batchSize, String detail) {
            this(parallel, reason, batchSize, detail, null, null);
        }

        private static RejectedResponse from(RejectedCandidate rejected) {
            return new RejectedResponse(
                    ParallelResponse.from(rejected.candidate()),
                    WireFormat.name(rejected.reason()),
                    rejected.batchSize(),
                    rejected.detail(),
                    null,
                    rejected.ofLimit());
        }
    }

    /// Memory that one request on a rank needs and a device does not have.
    @Schema(name = "MemoryShortage")
    public record ShortageResponse(
            double totalGb,
            double neededGb,
            double weightGb,
            double engineGb,
            double requestGb,
            @JsonUnwrapped EngineMemoryResponse engine) {

        static ShortageResponse from(MemoryShortage memory) {
            return new ShortageResponse(
                    memory.deviceBytes() / MemoryFootprint.GIB,
                    memory.neededBytes() / MemoryFootprint.GIB,
                    memory.weightBytes() / MemoryFootprint.GIB,
                    memory.engineBytes() / MemoryFootprint.GIB,
                    memory.requestBytes() / MemoryFootprint.GIB,
                    EngineMemoryResponse.of(memory.memory(), memory.requestTokens()));
        }
    }

    /// A probe that fits in memory.
    @Schema(name = "Point")
    public record PointResponse(
            ParallelResponse parallel,
            long batchSize,
            long concurrency,
            @Nullable Double ttftMs,
            @Nullable Double tpotMs,
            double tokensPerS,
            boolean withinSlo,
            @Nullable PairedResponse paired,
            @Nullable Double e2eLatencyMs,
            @JsonUnwrapped @Nullable PointBandsResponse bands) {
        public PointResponse {
            bands = PointBandsResponse.orAbsent(bands);
        }

        /// Creates a point of cost model `analytic`.
        public PointResponse(
                ParallelResponse parallel,
                long batchSize,
                long concurrency,
                @Nullable Double ttftMs,
                @Nullable Double tpotMs,
                double tokensPerS,
                boolean withinSlo) {
            this(parallel, batchSize, concurrency, ttftMs, tpotMs, tokensPerS, withinSlo, null, null, null);
        }

        /// Instances that a point of mode `pd_ratio` is about.
        @Schema(name = "Paired")
        public record PairedResponse(ParallelResponse prefillParallel, int prefillInstances, int decodeInstances) {

            /// Name of the pair in curves.
            public String label(ParallelResponse decode) {
                return prefillInstances + " x " + prefillParallel.label() + " > " + decodeInstances + " x "
                        + decode.label();
            }
        }

        /// Name of its series in curves.
        public String label() {
            return paired == null ? parallel.label() : paired.label(parallel);
        }

        static PointResponse from(TriedPoint point, Limits limits) {
            CalibratedPoint at = point.at();
            return new PointResponse(
                    ParallelResponse.from(at.instances().decoding()),
                    at.ofRank(),
                    at.concurrency(),
                    at.ttftMillis().value(),
                    at.tpotMillis().value(),
                    at.tokensPerSecond().value(),
                    point.withinLimits(),
                    switch (at.instances()) {
                        case CalibratedInstances.Replicas _ -> null;
                        case CalibratedInstances.Pair pair ->
                            new PairedResponse(
                                    ParallelResponse.from(pair.prefill()),
                                    pair.counts().prefill(),
                                    pair.counts().decode());
                    },
                    limits.requestLatencyMillis() == null
                            ? null
                            : (Double) at.requestLatencyMillis(limits.basis()).value(),
                    PointBandsResponse.of(at));
        }

        /// A phase by itself makes no whole answer.
        private static PointResponse from(SearchPoint point, Limits limits) {
            Figures figures = point.figures();
            return new PointResponse(
                    ParallelResponse.from(point.candidate()),
                    point.batchSize(),
                    point.concurrency(),
                    figures.ttftMillis(),
                    figures.tpotMillis(),
                    figures.tokensPerSecond(),
                    point.withinLimits(),
                    null,
                    limits.requestLatencyMillis() == null
                                    || figures.ttftMillis() == null
                                    || figures.tpotMillis() == null
                            ? null
                            : figures.requestLatencyMillis(),
                    null);
        }
    }

    static PhaseResponse from(PhaseResult result, OptimizationProblem problem) {
        List<RowResponse> rows = result.rows().stream()
                .map(row -> RowResponse.from(row, result.phase(), problem, result.points()))
                .toList();
        PhaseResponse found = new PhaseResponse(
                PhaseName.of(result.phase()),
                rows.isEmpty() ? null : rows.getFirst(),
                rows,
                result.rejected().stream().map(RejectedResponse::from).toList(),
                result.points().stream()
                        .map(point -> PointResponse.from(point, problem.demand().limits()))
                        .toList(),
                result.omittedPoints() == 0 ? null : result.omittedPoints());
        return problem.search().mode() == SearchMode.PD_RATIO ? found : found.withInstances();
    }
}
