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
@Schema(name = "PhaseResult", description = "Result of one phase on one device type.")
public record PhaseResponse(
        @Schema(
                description = "Phase of the search. `aggregation`: prefill and decode on the same instance.",
                allowableValues = {"aggregation", "prefill", "decode"})
        PhaseName phase,

        @Schema(description = "The first of `rows`; absent when no layout is feasible.") @Nullable
        RowResponse best,

        @Schema(
                description = "Best row per parallel layout, by throughput or by `objective`. With `cost_model:"
                        + " calibrated`, rows without a prediction interval of TTFT or TPOT, or one wider than"
                        + " 1:10, come last.")
        List<RowResponse> rows,

        @Schema(description = "Layouts without a row, and why.")
        List<RejectedResponse> rejected,

        @Schema(
                description = "Evaluated points that fit in memory, for curves. A layout with more than 1,024"
                        + " points keeps the first, the last, the best and those next to a target. Of its others"
                        + " it keeps batch sizes that are multiples of one power of two. Requires"
                        + " `include=probes`.")
        @Nullable
        List<PointResponse> points,

        @Schema(
                description =
                        "Number of points that `points` omits. Absent if it has all. Requires" + " `include=probes`.")
        @Nullable
        Long omittedPoints,

        @Schema(description = "Number of worse rows that `rows` omits. Absent if it has all.") @Nullable
        Long omittedRows,

        @Schema(
                description = "Use of the devices by `best`, in words. With `cost_model: analytic` one instance of"
                        + " all devices; with `calibrated` equal instances that share the load. Absent if no"
                        + " plan is feasible, and with a P:D ratio.",
                example = "4 instances of 2 devices each")
        @Nullable
        String instances) {

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
    @Schema(name = "Rejected", description = "A layout without a row, and why.")
    public record RejectedResponse(
            @Schema(description = "Rejected parallel layout.")
            ParallelResponse parallel,

            @Schema(
                    description = "Constraint that the smallest batch size violates: memory, TTFT or TPOT. `model`: the"
                            + " model cannot be split this way. `search`: the first probe was feasible, and nothing"
                            + " was recorded. `rate`: `traffic.request_rate` saturates it. `batch_range`: no allowed"
                            + " batch size reaches `objective.min_concurrency`.",
                    allowableValues = {"memory", "ttft", "tpot", "model", "search", "rate", "batch_range"})
            String reason,

            @Schema(description = "Smallest batch size tried; absent when none was.") @Nullable
            Long batchSize,

            @Schema(description = "Violated constraint and the amount.", example = "needs 71.3 GB of 54.0 GB")
            String detail,

            @Schema(
                    description = "Memory of a device by part. Present where one request does not fit. Requires"
                            + " `cost_model: calibrated`.")
            @Nullable
            ShortageResponse memory,

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
    @Schema(
            name = "MemoryShortage",
            description = "Memory that one request on a rank needs and a device does not have.")
    public record ShortageResponse(
            @Schema(description = "Memory that the device shows, in GiB.", example = "79.2")
            double totalGb,

            @Schema(description = "Sum of the parts below, in GiB.", example = "121.0")
            double neededGb,

            @Schema(description = "Weights of the rank, in GiB.", example = "109.3")
            double weightGb,

            @Schema(
                    description = "Memory that the engine reserves beyond weights and KV cache, in GiB.",
                    example = "10.8")
            double engineGb,

            @Schema(description = "KV cache and states of one request, in GiB.", example = "0.9")
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
    @Schema(name = "Point", description = "A probe that fits in memory.")
    public record PointResponse(
            @Schema(description = "Parallel layout.") ParallelResponse parallel,

            @Schema(description = "Requests per data parallel rank; where they are not spread evenly the most of one.")
            long batchSize,

            @Schema(description = "Requests of the whole instance; with cost model `calibrated` of all instances.")
            long concurrency,

            @Schema(description = "Time to first token in ms.") @Nullable
            Double ttftMs,

            @Schema(description = "Time per output token in ms.") @Nullable
            Double tpotMs,

            @Schema(description = "Tokens per second: input tokens in prefill, output tokens else.")
            double tokensPerS,

            @Schema(description = "True if all targets are met.")
            boolean withinSlo,

            @Schema(
                    description = "Prefill instances that feed the decode instances of `parallel`. Requires `mode:"
                            + " pd_ratio` and `cost_model: calibrated`.")
            @Nullable
            PairedResponse paired,

            @Schema(description = "End-to-end latency in ms. Requires `slo.e2e_latency_ms`.") @Nullable
            Double e2eLatencyMs,

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
        @Schema(name = "Paired", description = "Prefill instances that feed decode instances.")
        public record PairedResponse(
                @Schema(description = "Parallel layout of a prefill instance.")
                ParallelResponse prefillParallel,

                @Schema(description = "Prefill instances.") int prefillInstances,
                @Schema(description = "Decode instances.") int decodeInstances) {

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
