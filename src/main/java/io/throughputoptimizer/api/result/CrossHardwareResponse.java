package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedResponse;
import io.throughputoptimizer.api.result.figure.FigureBandsResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.RequestLatencyResponse;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedResult;
import io.throughputoptimizer.core.calibrated.CalibratedResult.DeviceRanking;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.search.HardwareComparison;
import io.throughputoptimizer.core.search.OptimizationProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;

/// Devices ranked by their best row.
@Schema(name = "CrossHardware")
public record CrossHardwareResponse(
        @Schema(allowableValues = {"aggregation", "prefill", "decode", "pd_ratio"})
        String phase,

        List<RankedResponse> rows) {
    /// Name of a ranking by P:D ratio.
    public static final String PD_RATIO = "pd_ratio";

    /// The best row of one device.
    @Schema(
            name = "Ranked",
            description = "The best row of one device.",
            oneOf = {RankedDeviceResponse.class, RankedPairResponse.class})
    @JsonDeserialize(using = RankedReader.class)
    public sealed interface RankedResponse permits RankedDeviceResponse, RankedPairResponse {
        /// The kind of device.
        String device();
    }

    /// The best row of one phase on one device.
    @JsonDeserialize
    @Schema(name = "RankedDevice")
    public record RankedDeviceResponse(
            int rank,
            String device,
            int numDevices,
            ParallelResponse parallel,
            long batchSize,
            long concurrency,
            @Nullable Double ttftMs,
            @Nullable Double tpotMs,
            double tokensPerS,
            double tokensPerSPerDevice,
            @Nullable Double requestsPerS,
            @Nullable Double sustainedRequestsPerS,
            @JsonUnwrapped @Nullable RequestLatencyResponse requestLatency,
            @JsonUnwrapped @Nullable FigureBandsResponse bands,
            @Nullable ObjectiveResponse objective,
            @Nullable List<String> warnings)
            implements RankedResponse, DeliveredResponse {
        public RankedDeviceResponse {
            requestLatency = RequestLatencyResponse.orAbsent(requestLatency);
            bands = FigureBandsResponse.orAbsent(bands);
        }

        /// @param row with the warnings of that place
        private static RankedResponse of(int rank, String device, int devices, RowResponse row) {
            return new RankedDeviceResponse(
                    rank,
                    device,
                    devices,
                    row.parallel(),
                    row.batchSize(),
                    row.concurrency(),
                    row.ttftMs(),
                    row.tpotMs(),
                    row.tokensPerS(),
                    row.tokensPerSPerDevice(),
                    row.requestsPerS(),
                    row.sustainedRequestsPerS(),
                    row.requestLatency(),
                    row.bands(),
                    row.objective(),
                    row.warnings());
        }
    }

    /// The best pair of a prefill and a decode instance on one device.
    @JsonDeserialize
    @Schema(name = "RankedPair")
    public record RankedPairResponse(
            String device,
            int numDevices,
            @Nullable Integer numDecodeDevices,
            @JsonUnwrapped PdRatioRowResponse pair) implements RankedResponse {}

    /// One ranking per phase, or one by ratio.
    static List<CrossHardwareResponse> from(HardwareComparison comparison, OptimizationProblem problem) {
        List<CrossHardwareResponse> rankings = new ArrayList<>();
        for (HardwareComparison.PhaseRanking ranking : comparison.phases()) {
            rankings.add(new CrossHardwareResponse(
                    WireFormat.name(ranking.phase()),
                    ranking.rows().stream()
                            .map(best -> RankedDeviceResponse.of(
                                    best.rank(),
                                    best.device().name(),
                                    best.deviceCount(),
                                    RowResponse.from(best.row(), ranking.phase(), problem)))
                            .toList()));
        }
        if (!comparison.pdRatio().isEmpty()) {
            rankings.add(new CrossHardwareResponse(
                    PD_RATIO,
                    comparison.pdRatio().stream()
                            .<RankedResponse>map(best -> new RankedPairResponse(
                                    best.device(),
                                    problem.available().of(best.row().prefill().device()),
                                    ResultResponse.ofDecode(
                                            problem.available(),
                                            best.row().prefill().device(),
                                            best.row().decode().device()),
                                    PdRatioRowResponse.from(best.row(), best.rank(), problem.demand())))
                            .toList()));
        }
        return rankings;
    }

    /// Measured devices by their best row, as rows are ranked.
    static CrossHardwareResponse from(CalibratedResult result) {
        CalibratedProblem problem = result.problem();
        List<DeviceRanking> ranked = result.devices().stream()
                .filter(device -> !device.found().rows().isEmpty())
                .sorted(Comparator.comparing(
                                (DeviceRanking device) -> best(device).bands().isWide())
                        .thenComparingDouble(
                                device -> problem.ranking().order(best(device).delivered(device.label()))))
                .toList();
        boolean pairs = problem.instances() != null;
        return new CrossHardwareResponse(
                pairs ? PD_RATIO : PhaseName.AGGREGATION.wireName(),
                IntStream.range(0, ranked.size())
                        .mapToObj(place -> from(ranked.get(place), place + 1, problem))
                        .toList());
    }

    private static CalibratedPoint best(DeviceRanking device) {
        return device.found().rows().getFirst().at();
    }

    private static RankedResponse from(DeviceRanking device, int rank, CalibratedProblem problem) {
        CalibratedRow row = device.found().rows().getFirst();
        CalibratedResponses.Asked asked = new CalibratedResponses.Asked(problem, device.label());
        int devices = problem.available().of(device.device().name());
        return problem.instances() == null
                ? RankedDeviceResponse.of(rank, device.label(), devices, CalibratedResponses.row(row, rank, asked))
                : new RankedPairResponse(
                        device.label(),
                        devices,
                        ResultResponse.ofDecode(device, problem),
                        PdRatioRowResponse.from(row, rank, asked));
    }

    /// Tells the rows of rankings apart: only a pair has a ratio.
    static final class RankedReader extends StdDeserializer<RankedResponse> {
        RankedReader() {
            super(RankedResponse.class);
        }

        @Override
        public RankedResponse deserialize(JsonParser parser, DeserializationContext context) {
            JsonNode row = context.readTree(parser);
            return row.has("pd_ratio")
                    ? context.readTreeAsValue(row, RankedPairResponse.class)
                    : context.readTreeAsValue(row, RankedDeviceResponse.class);
        }
    }
}
