package io.throughputoptimizer.report;

import static io.throughputoptimizer.report.SampleRow.dense;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.LimitsRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.CrossHardwareResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedResponse;
import io.throughputoptimizer.api.result.PdRatioResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse.AvailableResponse;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.PhaseResponse.PointResponse;
import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.ResultResponse.RecordedRowResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.SteadyPairResponse;
import io.throughputoptimizer.api.result.figure.BestFitResponse;
import io.throughputoptimizer.api.result.figure.DeviceFiguresResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.SearchStatisticsResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Findings to show. The rows of aggregation, prefill, decode and the mixed batch are those of the reference for
/// Qwen3-32B on 8 devices; the others are made up.
public final class SampleFindings {
    private static final String FIXED = "\"input_length\": 3500";
    private static final String MIXED = "\"length_distribution\": {\"name\": \"builtin\"}";
    private static final String DEVICE = "TEST_DEVICE";
    private static final LimitsRequest NO_LIMIT = new LimitsRequest(null, null);

    private SampleFindings() {}

    static Findings aggregation() {
        return findings(limits(null, 50.0), device(DEVICE, 8, aggregationPhase(1)));
    }

    /// Figures that are not those of the familiar formulas.
    static Findings steady() {
        return steady(findings(
                limits(null, 50.0),
                device(
                        DEVICE,
                        8,
                        phase(
                                PhaseName.AGGREGATION,
                                new SampleRow(1, dense(8, 1), 193, 15543.014, 49.804, 3875.213)))));
    }

    static Findings steadyPdRatio() {
        return steady(pdRatio());
    }

    private static Findings steady(Findings familiar) {
        String request = WireFormat.write(familiar.request()).replace("\"documented\"", "\"steady\"");
        ResultResponse result = familiar.result();
        return new Findings(
                WireFormat.read(request, OptimizationRequest.class),
                new ResultResponse(1, "steady", result.devices(), null, null, result.search(), null, null, null));
    }

    /// @param speed factor on every throughput
    private static PhaseResponse aggregationPhase(double speed) {
        return phase(
                PhaseName.AGGREGATION,
                new SampleRow(1, dense(8, 1), 193, 15518.463, 49.787, 3209.553 * speed),
                new SampleRow(2, dense(4, 2), 91, 13777.955, 49.637, 3094.082 * speed),
                new SampleRow(3, dense(2, 4), 30, 17592.121, 49.261, 1967.562 * speed),
                new SampleRow(4, dense(1, 8), 7, 9630.914, 48.037, 1028.327 * speed));
    }

    static Findings disaggregation() {
        return findings(limits(2000.0, 50.0), device(DEVICE, 8, prefillPhase(), decodePhase()));
    }

    private static PhaseResponse prefillPhase() {
        return phase(
                PhaseName.PREFILL,
                new SampleRow(1, dense(1, 8), 3, 1983.823, null, 42342.494),
                new SampleRow(2, dense(2, 4), 3, 1722.398, null, 24384.606),
                new SampleRow(3, dense(4, 2), 6, 1775.696, null, 23652.693),
                new SampleRow(4, dense(8, 1), 12, 1882.844, null, 22306.678));
    }

    private static PhaseResponse decodePhase() {
        return phase(
                PhaseName.DECODE,
                new SampleRow(1, dense(8, 1), 257, null, 49.941, 5146.039),
                new SampleRow(2, dense(4, 2), 121, null, 49.938, 4845.989));
    }

    /// Layouts of a model with routed experts, for wide cells.
    static Findings experts() {
        return findings(
                NO_LIMIT,
                device(
                        DEVICE,
                        8,
                        phase(
                                PhaseName.DECODE,
                                new SampleRow(1, experts(2, 4), 1024, null, 7.125, 574877.193),
                                new SampleRow(2, experts(1, 8), 1, null, 100.0, 80.0))));
    }

    private static ParallelResponse experts(int tp, int dp) {
        String label = "TP=%d | PP=1 | DP=%d | EP=8 | MOE-TP=1 | MOE-DP=1".formatted(tp, dp);
        return new ParallelResponse(label, tp, 1, dp, 8, 1, 1, null, null);
    }

    static Findings mixedPrefill() {
        return mixed(
                limits(4000.0, null),
                phase(
                        PhaseName.PREFILL,
                        new SampleRow(1, dense(1, 8), 7, 1993.458, null, 45147.675).mixed(16, 8, 8, 8, 8, 8),
                        new SampleRow(2, dense(2, 4), 7, 1779.295, null, 25290.918).mixed(8, 4, 4, 4, 4, 4)));
    }

    static Findings mixedAggregation() {
        return mixed(
                limits(null, 60.5),
                phase(
                        PhaseName.AGGREGATION,
                        new SampleRow(1, dense(8, 1), 7, 812.25, 12.5, 555.556).mixed(2, 1, 1, 1, 1, 1)));
    }

    private static Findings mixed(LimitsRequest limits, PhaseResponse phase) {
        return new Findings(request(MIXED, limits, ""), result(List.of(device(DEVICE, 8, phase)), null));
    }

    /// Rows whose memory was adjusted, is not proved exact, both, and neither.
    static Findings carefulMemory() {
        return findings(
                limits(2000.0, null),
                device(
                        DEVICE,
                        8,
                        phase(
                                PhaseName.PREFILL,
                                new SampleRow(1, dense(1, 8), 3, 1983.823, null, 42342.494).flagged(true, true),
                                new SampleRow(2, dense(2, 4), 3, 1722.398, null, 24384.606).flagged(false, false),
                                new SampleRow(3, dense(4, 2), 6, 1775.696, null, 23652.693).flagged(true, false),
                                new SampleRow(4, dense(8, 1), 12, 1882.844, null, 22306.678))));
    }

    static Findings warnings() {
        String same = "its promise is more than it sustains";
        return findings(
                limits(2000.0, null),
                device(
                        DEVICE,
                        8,
                        phase(
                                PhaseName.PREFILL,
                                new SampleRow(1, dense(1, 8), 3, 1983.823, null, 42342.494).warned(same),
                                new SampleRow(2, dense(2, 4), 3, 1722.398, null, 24384.606),
                                new SampleRow(3, dense(4, 2), 6, 1775.696, null, 23652.693)
                                        .warned(same, "and nobody knows its link"))));
    }

    static Findings infeasible() {
        return findings(limits(1.0, null), infeasibleDevice());
    }

    private static DeviceResponse infeasibleDevice() {
        return device(
                DEVICE,
                8,
                phase(
                        PhaseName.PREFILL,
                        List.of(),
                        List.of(
                                new RejectedResponse(dense(1, 8), "memory", 1L, "needs 71.3 GB of 54.0 GB"),
                                new RejectedResponse(dense(2, 4), "ttft", 1L, "TTFT 470.1 ms exceeds 1 ms by 469.1 ms"),
                                new RejectedResponse(dense(3, 2), "model", null, "64 heads do not divide by 3")),
                        List.of()));
    }

    /// Three kinds of device, the second without a row.
    public static Findings comparison() {
        DeviceResponse first = device(DEVICE, 8, aggregationPhase(1));
        DeviceResponse second = device("ATLAS_800_A2_280T_64G", 8, phase(PhaseName.AGGREGATION));
        DeviceResponse third = device("ATLAS_350_425T_112G", 8, aggregationPhase(1.5));
        return compared(limits(null, 50.0), List.of(first, second, third), List.of(third, first));
    }

    /// Two kinds of device whose throughputs are equal.
    static Findings disaggregatedComparison() {
        List<DeviceResponse> devices = List.of(
                device("ATLAS_350_425T_112G", 8, prefillPhase(), decodePhase()),
                device(DEVICE, 8, prefillPhase(), decodePhase()));
        return compared(limits(2000.0, 50.0), devices, devices);
    }

    /// Two kinds of device, neither with a row.
    static Findings emptyComparison() {
        PhaseResponse nothing = phase(PhaseName.DECODE);
        return compared(
                limits(null, 0.1),
                List.of(device(DEVICE, 8, nothing), device("ATLAS_350_425T_112G", 8, nothing)),
                List.of());
    }

    /// Prefill on 2 devices, decode on 4, of 16; the first pair fits, the second would need more.
    static Findings pdRatio() {
        return pdRatio(limits(2000.0, 50.0), List.of(), pdRatioDevice(DEVICE, 16, pdRatioRows(true)));
    }

    /// Without limits, and with fewer devices than one instance of each takes.
    static Findings pdRatioThatDoesNotFit() {
        return pdRatio(NO_LIMIT, List.of(), pdRatioDevice(DEVICE, 1, pdRatioRows(false)));
    }

    static Findings pdRatioOfNothing() {
        return pdRatio(limits(1.0, 50.0), List.of(), pdRatioDevice(DEVICE, 16, List.of()));
    }

    static Findings pdRatioComparison() {
        DeviceResponse first = pdRatioDevice(DEVICE, 16, pdRatioRows(true));
        DeviceResponse second = pdRatioDevice("ATLAS_350_425T_112G", 16, pdRatioRows(false));
        DeviceResponse third = pdRatioDevice("ATLAS_800_A2_280T_64G", 16, List.of());
        return pdRatio(limits(2000.0, 50.0), List.of(second, first), first, second, third);
    }

    /// As compared, but with too few devices to name any.
    static Findings pdRatioComparisonThatDoesNotFit() {
        DeviceResponse first = pdRatioDevice(DEVICE, 1, pdRatioRows(false));
        DeviceResponse second = pdRatioDevice("ATLAS_350_425T_112G", 1, List.of());
        return pdRatio(NO_LIMIT, List.of(first), first, second);
    }

    /// @param ranked the devices that have rows, best first
    private static Findings pdRatio(LimitsRequest limits, List<DeviceResponse> ranked, DeviceResponse... devices) {
        List<RankedResponse> rows = IntStream.range(0, ranked.size())
                .<RankedResponse>mapToObj(i -> {
                    DeviceResponse device = ranked.get(i);
                    PdRatioRowResponse best = pdRatioRow(
                            i + 1,
                            Objects.requireNonNull(device.pdRatio()).rows().getFirst());
                    return new RankedPairResponse(device.device(), device.numDevices(), null, best);
                })
                .toList();
        return new Findings(
                request(
                        FIXED,
                        limits,
                        ", \"mode\": \"pd_ratio\", \"pd_ratio\":"
                                + " {\"prefill_devices_per_instance\": 2, \"decode_devices_per_instance\": 4}"),
                result(List.of(devices), List.of(new CrossHardwareResponse(CrossHardwareResponse.PD_RATIO, rows))));
    }

    private static DeviceResponse pdRatioDevice(String name, int count, List<PdRatioRowResponse> rows) {
        PhaseResponse prefill = phase(
                PhaseName.PREFILL,
                List.of(new SampleRow(1, dense(1, 2), 8, 1923.045, null, 29120.483).flagged(false, count > 1)),
                List.of(new RejectedResponse(dense(1, 2), "memory", 1L, "needs 71.3 GB of 54.0 GB")),
                List.of());
        PhaseResponse decode = phase(
                PhaseName.DECODE,
                List.of(),
                List.of(new RejectedResponse(dense(1, 4), "model", null, "heads do not divide")),
                List.of(
                        new PointResponse(dense(4, 1), 40, 40, null, 20.0, 1, true),
                        new PointResponse(dense(2, 2), 40, 80, null, 38.26, 1, true)));
        PdRatioRowResponse best = rows.isEmpty() ? null : rows.getFirst();
        return new DeviceResponse(name, count, List.of(prefill, decode), new PdRatioResponse(best, rows, null));
    }

    private static List<PdRatioRowResponse> pdRatioRows(boolean fits) {
        return List.of(
                pdRatioRow(1, dense(2, 2), 80, 38.26, fits ? 1 : null, fits ? 3 : null),
                pdRatioRow(2, dense(4, 1), 40, 20, null, null));
    }

    private static PdRatioRowResponse pdRatioRow(
            int rank,
            ParallelResponse decode,
            long concurrency,
            double tpot,
            @Nullable Integer prefillInstances,
            @Nullable Integer decodeInstances) {
        double prefillRequestsPerS = 16 / 1923.045 * 1000;
        double decodeRequestsPerS = concurrency / (tpot * 1499) * 1000;
        return new PdRatioRowResponse(
                rank,
                decodeRequestsPerS / prefillRequestsPerS,
                prefillRequestsPerS,
                decodeRequestsPerS,
                prefillRequestsPerS / 2,
                decodeRequestsPerS,
                Math.min(prefillRequestsPerS, decodeRequestsPerS),
                dense(1, 2),
                decode,
                2,
                4,
                8L,
                40L,
                16L,
                concurrency,
                prefillInstances,
                decodeInstances,
                prefillInstances == null
                        ? null
                        : new AvailableResponse(
                                2,
                                new BestFitResponse(
                                        1,
                                        3,
                                        14,
                                        null,
                                        3 * decodeRequestsPerS,
                                        null,
                                        null,
                                        null,
                                        4500 * decodeRequestsPerS)),
                null,
                new SteadyPairResponse(
                        null, null, 1923.045, tpot, null, null, null, null, null, null, null, null, null),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static PdRatioRowResponse pdRatioRow(int rank, PdRatioRowResponse row) {
        return pdRatioRow(
                rank,
                row.decodeParallel(),
                Objects.requireNonNull(row.decodeConcurrency()),
                Objects.requireNonNull(Objects.requireNonNull(row.load()).tpotMs()),
                row.prefillInstances(),
                row.decodeInstances());
    }

    static Findings recorded() {
        List<RecordedRowResponse> recorded = Stream.of(
                        new SampleRow(null, dense(8, 1), 1, null, 10.001, 99.99),
                        new SampleRow(null, dense(8, 1), 257, null, 49.941, 5146.039))
                .map(row -> new RecordedRowResponse(DEVICE, PhaseName.DECODE, row.in(PhaseName.DECODE)))
                .toList();
        return recorded(device(DEVICE, 8, decodePhase()), recorded);
    }

    /// Recorded rows were asked for, and there are none.
    static Findings nothingRecorded() {
        return recorded(infeasibleDevice(), List.of());
    }

    private static Findings recorded(DeviceResponse device, List<RecordedRowResponse> rows) {
        ResultResponse result = result(List.of(device), null);
        return new Findings(
                request(FIXED, NO_LIMIT, ", \"dump_original_results\": true"),
                new ResultResponse(
                        1, result.accounting(), result.devices(), null, null, result.search(), rows, null, null));
    }

    static Findings findings(LimitsRequest limits, DeviceResponse device) {
        return new Findings(request(FIXED, limits, ""), result(List.of(device), null));
    }

    /// Findings with these points of one phase, and no row.
    public static Findings points(PhaseName phase, LimitsRequest limits, List<PointResponse> points) {
        return findings(limits, device(DEVICE, 8, phase(phase, List.of(), List.of(), points)));
    }

    /// @param ranked the devices that have rows, best first
    private static Findings compared(LimitsRequest limits, List<DeviceResponse> devices, List<DeviceResponse> ranked) {
        int phases = devices.getFirst().phases().size();
        List<CrossHardwareResponse> rankings = IntStream.range(0, phases)
                .mapToObj(phase -> new CrossHardwareResponse(
                        devices.getFirst().phases().get(phase).phase().wireName(),
                        IntStream.range(0, ranked.size())
                                .<RankedResponse>mapToObj(i -> best(i + 1, ranked.get(i), phase))
                                .toList()))
                .toList();
        return new Findings(request(FIXED, limits, ""), result(devices, rankings));
    }

    private static RankedDeviceResponse best(int rank, DeviceResponse device, int phase) {
        RowResponse row = device.phases().get(phase).rows().getFirst();
        return new RankedDeviceResponse(
                rank,
                device.device(),
                row.parallel().numDevices(),
                row.parallel(),
                row.batchSize(),
                row.concurrency(),
                row.ttftMs(),
                row.tpotMs(),
                row.tokensPerS(),
                row.tokensPerSPerDevice(),
                row.requestsPerS(),
                row.sustainedRequestsPerS(),
                null,
                null,
                null,
                row.warnings());
    }

    public static LimitsRequest limits(@Nullable Double ttft, @Nullable Double tpot) {
        return new LimitsRequest(ttft, tpot);
    }

    private static OptimizationRequest request(String lengths, LimitsRequest limits, String more) {
        String json = """
                {"model_id": "Qwen/Qwen3-32B", "devices": ["TEST_DEVICE"], "workload": {%s, "output_length": 1500}, "slo": %s%s}""".formatted(lengths, WireFormat.write(limits), more);
        return WireFormat.read(json, OptimizationRequest.class);
    }

    private static ResultResponse result(List<DeviceResponse> devices, @Nullable List<CrossHardwareResponse> rankings) {
        return new ResultResponse(
                1,
                "documented",
                devices,
                devices.size() > 1
                        ? devices.stream().map(SampleFindings::profile).toList()
                        : null,
                rankings,
                new SearchStatisticsResponse(0, 0, 0, 0, null, null, null),
                null,
                null,
                null);
    }

    static DeviceResponse device(String name, int count, PhaseResponse... phases) {
        return new DeviceResponse(name, count, List.of(phases), null);
    }

    private static PhaseResponse phase(PhaseName phase, SampleRow... rows) {
        return phase(phase, List.of(rows), List.of(), List.of());
    }

    static PhaseResponse phase(
            PhaseName phase, List<SampleRow> rows, List<RejectedResponse> rejected, List<PointResponse> points) {
        List<RowResponse> shown = rows.stream().map(row -> row.in(phase)).toList();
        return new PhaseResponse(phase, shown.isEmpty() ? null : shown.getFirst(), shown, rejected, points, null);
    }

    /// But for the familiar device three dimensions, no figure for the general units, and a link that needs
    /// rounding to 6 digits.
    private static DeviceFiguresResponse profile(DeviceResponse device) {
        return device.device().equals(DEVICE)
                ? new DeviceFiguresResponse(
                        DEVICE,
                        353.9e12 / 1e12 * 0.7,
                        11e12 / 1e12 * 0.7,
                        1.6 * 0.6,
                        64,
                        List.of(256, 8),
                        List.of(50e9 * 0.7 / 1e9, 196e9 * 0.7 / 1e9))
                : new DeviceFiguresResponse(
                        device.device(),
                        378e12 / 1e12 * 0.9,
                        null,
                        1.4 * 0.8,
                        112,
                        List.of(2, 2, 4),
                        List.of(18e9 * 0.7 / 1e9, 17.123456789, 135.15));
    }

    /// What people should read of them.
    public static String golden(String name) throws IOException {
        try (InputStream stream = SampleFindings.class.getResourceAsStream("/golden/report/" + name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
