package io.throughputoptimizer.report;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.hardware.DeviceFigures;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.OptimizationProblem.InstanceSizes;
import io.throughputoptimizer.core.search.PdRatioResult;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.search.RejectedCandidate.Reason;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.ResultRow.Breakdowns;
import io.throughputoptimizer.core.search.ResultRow.CompositionRow;
import io.throughputoptimizer.core.search.ResultRow.Figures;
import io.throughputoptimizer.core.search.ResultRow.PrefillPlan;
import io.throughputoptimizer.core.search.SearchPoint;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.ServiceObjective;
import io.throughputoptimizer.report.Findings.Comparison;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import io.throughputoptimizer.report.Findings.Lengths;
import io.throughputoptimizer.report.Findings.Question;
import io.throughputoptimizer.report.Findings.Ranking;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Findings to show. The rows of aggregation, prefill, decode and the mixed batch are those of the reference for
/// Qwen3-32B on 8 devices; the others are made up.
final class SampleFindings {
    private static final QuantizationScheme QUANTIZATION = new QuantizationScheme(
            LinearQuantization.W8A8_DYNAMIC,
            AttentionQuantization.DISABLED,
            QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE);
    private static final Lengths FIXED = new Lengths(3500, 1500);
    private static final Lengths MIXED = new Lengths(null, 1500);
    private static final Accounting DOCUMENTED = new Accounting.Documented();
    private static final String DEVICE = "TEST_DEVICE";
    private static final double GIB = MemoryFootprint.GIB;

    private SampleFindings() {}

    static Findings aggregation() {
        return findings(FIXED, new ServiceObjective(null, 50.0), device(DEVICE, 8, aggregationPhase(1)));
    }

    /// Figures that are not those of the familiar formulas.
    static Findings corrected() {
        Question familiar = question(FIXED, new ServiceObjective(null, 50.0), false);
        return new Findings(
                corrected(familiar),
                List.of(device(
                        DEVICE, 8, phase(Phase.AGGREGATION, row(1, dense(8, 1), 193, 15543.014, 49.804, 3875.213)))),
                null);
    }

    static Findings correctedPdRatio() {
        Findings familiar = pdRatio();
        return new Findings(corrected(familiar.question()), familiar.devices(), null);
    }

    private static Question corrected(Question question) {
        return new Question(
                question.modelId(),
                question.quantization(),
                question.lengths(),
                question.objective(),
                question.instances(),
                question.recordedRows(),
                new Accounting.Corrected());
    }

    /// @param speed factor on every throughput
    static PhaseResult aggregationPhase(double speed) {
        return phase(
                Phase.AGGREGATION,
                row(1, dense(8, 1), 193, 15518.463, 49.787, 3209.553 * speed),
                row(2, dense(4, 2), 91, 13777.955, 49.637, 3094.082 * speed),
                row(3, dense(2, 4), 30, 17592.121, 49.261, 1967.562 * speed),
                row(4, dense(1, 8), 7, 9630.914, 48.037, 1028.327 * speed));
    }

    static Findings disaggregation() {
        return findings(FIXED, new ServiceObjective(2000.0, 50.0), device(DEVICE, 8, prefillPhase(), decodePhase()));
    }

    static PhaseResult prefillPhase() {
        return phase(
                Phase.PREFILL,
                row(1, dense(1, 8), 3, 1983.823, null, 42342.494),
                row(2, dense(2, 4), 3, 1722.398, null, 24384.606),
                row(3, dense(4, 2), 6, 1775.696, null, 23652.693),
                row(4, dense(8, 1), 12, 1882.844, null, 22306.678));
    }

    static PhaseResult decodePhase() {
        return phase(
                Phase.DECODE,
                row(1, dense(8, 1), 257, null, 49.941, 5146.039),
                row(2, dense(4, 2), 121, null, 49.938, 4845.989));
    }

    /// Layouts of a model with routed experts, for wide cells.
    static Findings experts() {
        ExpertLayout experts = new ExpertLayout(8, 1, 1);
        return findings(
                FIXED,
                ServiceObjective.NONE,
                device(
                        DEVICE,
                        8,
                        phase(
                                Phase.DECODE,
                                row(1, new ParallelLayout(2, 1, 4, experts), 1024, null, 7.125, 574877.193),
                                row(2, new ParallelLayout(1, 1, 8, experts), 1, null, 100.0, 80.0))));
    }

    static Findings mixedPrefill() {
        return findings(
                MIXED,
                new ServiceObjective(4000.0, null),
                device(
                        DEVICE,
                        8,
                        phase(
                                Phase.PREFILL,
                                mixed(row(1, dense(1, 8), 7, 1993.458, null, 45147.675), 16, 8, 8, 8, 8, 8),
                                mixed(row(2, dense(2, 4), 7, 1779.295, null, 25290.918), 8, 4, 4, 4, 4, 4))));
    }

    static Findings mixedAggregation() {
        return findings(
                MIXED,
                new ServiceObjective(null, 60.5),
                device(
                        DEVICE,
                        8,
                        phase(
                                Phase.AGGREGATION,
                                mixed(row(1, dense(8, 1), 7, 812.25, 12.5, 555.556), 2, 1, 1, 1, 1, 1))));
    }

    /// Rows whose memory was adjusted, is not proved exact, both, and neither.
    static Findings carefulMemory() {
        return findings(
                FIXED,
                new ServiceObjective(2000.0, null),
                device(
                        DEVICE,
                        8,
                        phase(
                                Phase.PREFILL,
                                flagged(row(1, dense(1, 8), 3, 1983.823, null, 42342.494), true, true),
                                flagged(row(2, dense(2, 4), 3, 1722.398, null, 24384.606), false, false),
                                flagged(row(3, dense(4, 2), 6, 1775.696, null, 23652.693), true, false),
                                row(4, dense(8, 1), 12, 1882.844, null, 22306.678))));
    }

    private static ResultRow flagged(ResultRow row, boolean adjusted, boolean exact) {
        MemoryFootprint memory = row.memory();
        return new ResultRow(
                row.rank(),
                row.layout(),
                row.batchSize(),
                row.concurrency(),
                row.figures(),
                row.prefill(),
                row.breakdowns(),
                new MemoryFootprint(
                        memory.capacityBytes(),
                        memory.reservedBytes(),
                        memory.weightBytes(),
                        memory.kvCacheBytes(),
                        memory.kvCacheBytesPerToken(),
                        memory.activationBytes(),
                        adjusted,
                        exact),
                row.composition());
    }

    static Findings infeasible() {
        return findings(
                FIXED,
                new ServiceObjective(1.0, null),
                device(
                        DEVICE,
                        8,
                        new PhaseResult(
                                Phase.PREFILL,
                                8,
                                List.of(),
                                List.of(
                                        new RejectedCandidate(
                                                dense(1, 8), Reason.MEMORY, 1L, "needs 71.3 GB of 54.0 GB"),
                                        new RejectedCandidate(
                                                dense(2, 4), Reason.TTFT, 1L, "TTFT 470.1 ms exceeds 1 ms by 469.1 ms"),
                                        new RejectedCandidate(
                                                dense(3, 2), Reason.MODEL, null, "64 heads do not divide by 3")),
                                List.of(),
                                List.of())));
    }

    /// Three kinds of device, the second without a row.
    static Findings comparison() {
        DeviceFindings first = device(DEVICE, 8, aggregationPhase(1));
        DeviceFindings second = device(
                "ATLAS_800_A2_280T_64G",
                8,
                new PhaseResult(Phase.AGGREGATION, 8, List.of(), List.of(), List.of(), List.of()));
        DeviceFindings third = device("ATLAS_350_425T_112G", 8, aggregationPhase(1.5));
        return compared(new ServiceObjective(null, 50.0), List.of(first, second, third), List.of(third, first));
    }

    /// Two kinds of device whose throughputs are equal.
    static Findings disaggregatedComparison() {
        List<DeviceFindings> devices = List.of(
                device("ATLAS_350_425T_112G", 8, prefillPhase(), decodePhase()),
                device(DEVICE, 8, prefillPhase(), decodePhase()));
        return compared(new ServiceObjective(2000.0, 50.0), devices, devices);
    }

    /// Two kinds of device, neither with a row.
    static Findings emptyComparison() {
        PhaseResult nothing = new PhaseResult(Phase.DECODE, 8, List.of(), List.of(), List.of(), List.of());
        return compared(
                new ServiceObjective(null, 0.1),
                List.of(device(DEVICE, 8, nothing), device("ATLAS_350_425T_112G", 8, nothing)),
                List.of());
    }

    /// Prefill on 2 devices, decode on 4, of 16; the first pair fits, the second would need more.
    static Findings pdRatio() {
        return pdRatio(new ServiceObjective(2000.0, 50.0), null, pdRatioDevice(DEVICE, 16, pdRatioRows(true)));
    }

    /// Without limits, and with fewer devices than one instance of each takes.
    static Findings pdRatioThatDoesNotFit() {
        return pdRatio(ServiceObjective.NONE, null, pdRatioDevice(DEVICE, 1, pdRatioRows(false)));
    }

    static Findings pdRatioOfNothing() {
        return pdRatio(new ServiceObjective(1.0, 50.0), null, pdRatioDevice(DEVICE, 16, List.of()));
    }

    static Findings pdRatioComparison() {
        DeviceFindings first = pdRatioDevice(DEVICE, 16, pdRatioRows(true));
        DeviceFindings second = pdRatioDevice("ATLAS_350_425T_112G", 16, pdRatioRows(false));
        DeviceFindings third = pdRatioDevice("ATLAS_800_A2_280T_64G", 16, List.of());
        List<DeviceFindings> devices = List.of(first, second, third);
        return pdRatio(
                new ServiceObjective(2000.0, 50.0),
                new Comparison(profiles(devices), List.of(), List.of(second, first)),
                first,
                second,
                third);
    }

    /// As compared, but with too few devices to name any.
    static Findings pdRatioComparisonThatDoesNotFit() {
        DeviceFindings first = pdRatioDevice(DEVICE, 1, pdRatioRows(false));
        DeviceFindings second = pdRatioDevice("ATLAS_350_425T_112G", 1, List.of());
        return pdRatio(
                ServiceObjective.NONE,
                new Comparison(profiles(List.of(first, second)), List.of(), List.of(first)),
                first,
                second);
    }

    private static Findings pdRatio(
            ServiceObjective objective, @Nullable Comparison comparison, DeviceFindings... devices) {
        Question question = new Question(
                "Qwen/Qwen3-32B", QUANTIZATION, FIXED, objective, new InstanceSizes(2, 4), false, DOCUMENTED);
        return new Findings(question, List.of(devices), comparison);
    }

    private static DeviceFindings pdRatioDevice(String name, int count, List<PdRatioRow> rows) {
        PhaseResult prefill = new PhaseResult(
                Phase.PREFILL,
                2,
                List.of(flagged(row(1, dense(1, 2), 8, 1923.045, null, 29120.483), false, count > 1)),
                List.of(new RejectedCandidate(dense(1, 2), Reason.MEMORY, 1L, "needs 71.3 GB of 54.0 GB")),
                List.of(),
                List.of());
        PhaseResult decode = new PhaseResult(
                Phase.DECODE,
                4,
                List.of(),
                List.of(new RejectedCandidate(dense(1, 4), Reason.MODEL, null, "heads do not divide")),
                List.of(
                        new SearchPoint(dense(4, 1), 40, 40, null, 20.0, 1, true),
                        new SearchPoint(dense(2, 2), 40, 80, null, 38.26, 1, true)),
                List.of());
        return new DeviceFindings(name, count, List.of(prefill, decode), new PdRatioResult(rows));
    }

    private static List<PdRatioRow> pdRatioRows(boolean fits) {
        Side prefill = new Side(dense(1, 2), 8, 16, 1923.045, 16 / 1923.045 * 1000);
        Side wide = new Side(dense(2, 2), 40, 80, 38.26, 80 / (38.26 * 1499) * 1000);
        Side deep = new Side(dense(4, 1), 40, 40, 20, 40 / (20.0 * 1499) * 1000);
        return List.of(ratio(1, prefill, wide, fits ? new InstanceCounts(1, 3) : null), ratio(2, prefill, deep, null));
    }

    private static PdRatioRow ratio(int rank, Side prefill, Side decode, @Nullable InstanceCounts instances) {
        return new PdRatioRow(
                rank, decode.qps() / prefill.qps(), Math.min(prefill.qps(), decode.qps()), prefill, decode, instances);
    }

    static Findings recorded() {
        PhaseResult decode = decodePhase();
        PhaseResult recorded = new PhaseResult(
                decode.phase(),
                decode.deviceCount(),
                decode.rows(),
                List.of(),
                List.of(),
                List.of(
                        row(null, dense(8, 1), 1, null, 10.001, 99.99),
                        row(null, dense(8, 1), 257, null, 49.941, 5146.039)));
        return new Findings(question(FIXED, ServiceObjective.NONE, true), List.of(device(DEVICE, 8, recorded)), null);
    }

    /// Recorded rows were asked for, and there are none.
    static Findings nothingRecorded() {
        Findings infeasible = infeasible();
        return new Findings(question(FIXED, ServiceObjective.NONE, true), infeasible.devices(), null);
    }

    static Findings findings(Lengths lengths, ServiceObjective objective, DeviceFindings device) {
        return new Findings(question(lengths, objective, false), List.of(device), null);
    }

    /// Findings with these points of one phase, and no row.
    static Findings points(Phase phase, ServiceObjective objective, List<SearchPoint> points) {
        return findings(
                FIXED,
                objective,
                device(DEVICE, 8, new PhaseResult(phase, 8, List.of(), List.of(), points, List.of())));
    }

    /// @param ranked the devices that have rows, best first
    private static Findings compared(
            ServiceObjective objective, List<DeviceFindings> devices, List<DeviceFindings> ranked) {
        List<Ranking> rankings = devices.getFirst().phases().stream()
                .map(phase -> new Ranking(phase.phase(), ranked))
                .toList();
        return new Findings(
                question(FIXED, objective, false), devices, new Comparison(profiles(devices), rankings, List.of()));
    }

    private static List<DeviceFigures> profiles(List<DeviceFindings> devices) {
        return devices.stream()
                .map(device -> device.device().equals(DEVICE) ? testDevice() : otherDevice(device.device()))
                .toList();
    }

    static Question question(Lengths lengths, ServiceObjective objective, boolean recordedRows) {
        return new Question("Qwen/Qwen3-32B", QUANTIZATION, lengths, objective, null, recordedRows, DOCUMENTED);
    }

    static DeviceFindings device(String name, int count, PhaseResult... phases) {
        return new DeviceFindings(name, count, List.of(phases), null);
    }

    static ParallelLayout dense(int tp, int dp) {
        return ParallelLayout.dense(tp, dp);
    }

    private static PhaseResult phase(Phase phase, ResultRow... rows) {
        return new PhaseResult(phase, 8, List.of(rows), List.of(), List.of(), List.of());
    }

    static ResultRow row(
            @Nullable Integer rank,
            ParallelLayout layout,
            long batchSize,
            @Nullable Double ttft,
            @Nullable Double tpot,
            double throughput) {
        long concurrency = batchSize * layout.dp();
        BoundShares prefill = ttft == null ? null : new BoundShares(10, 20, 65.125, 4.875);
        BoundShares decode = tpot == null ? null : new BoundShares(100 / 1.5, 100 / 3.0, 0, 0);
        return new ResultRow(
                rank,
                layout,
                batchSize,
                concurrency,
                new Figures(ttft, tpot, throughput, throughput / layout.deviceCount(), qps(concurrency, ttft, tpot)),
                new PrefillPlan(3500, 8192, ttft == null ? 0 : 1),
                new Breakdowns(prefill, decode),
                new MemoryFootprint(64 * GIB, 10 * GIB, 4.125 * GIB, 30.5 * GIB, 16384, 0.75 * GIB, false, true),
                List.of());
    }

    private static @Nullable Double qps(long concurrency, @Nullable Double ttft, @Nullable Double tpot) {
        if (ttft != null && tpot == null) {
            return concurrency / ttft * 1000;
        }
        return tpot != null && ttft == null ? concurrency / (tpot * 1500) * 1000 : null;
    }

    private static ResultRow mixed(ResultRow row, long... samples) {
        int[] lengths = {250, 750, 1750, 2250, 2750, 3250};
        double[] ratios = {0.247, 0.046, 0.061, 0.085, 0.079, 0.088};
        List<CompositionRow> parts = IntStream.range(0, samples.length)
                .mapToObj(i -> new CompositionRow(lengths[i], lengths[i], ratios[i], samples[i]))
                .toList();
        return new ResultRow(
                row.rank(),
                row.layout(),
                row.batchSize(),
                row.concurrency(),
                row.figures(),
                new PrefillPlan(4230, 140000, 1),
                row.breakdowns(),
                row.memory(),
                parts);
    }

    private static DeviceFigures testDevice() {
        return new DeviceFigures(
                DEVICE,
                OptionalDouble.of(353.9e12 / 1e12 * 0.7),
                OptionalDouble.of(11e12 / 1e12 * 0.7),
                1.6 * 0.6,
                64,
                List.of(256, 8),
                List.of(50e9 * 0.7 / 1e9, 196e9 * 0.7 / 1e9),
                List.of());
    }

    /// Three dimensions, no figure for the general units, and a link that needs rounding to 6 digits.
    private static DeviceFigures otherDevice(String name) {
        return new DeviceFigures(
                name,
                OptionalDouble.of(378e12 / 1e12 * 0.9),
                OptionalDouble.empty(),
                1.4 * 0.8,
                112,
                List.of(2, 2, 4),
                List.of(18e9 * 0.7 / 1e9, 17.123456789, 135.15),
                List.of());
    }
}
