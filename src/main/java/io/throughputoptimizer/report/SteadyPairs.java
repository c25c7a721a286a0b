package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.FigureBandsResponse;
import io.throughputoptimizer.api.result.ObjectiveResponse;
import io.throughputoptimizer.api.result.PdRatioResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.SteadyPairResponse;
import io.throughputoptimizer.api.result.SteadyRowResponse;
import io.throughputoptimizer.report.Section.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Prefill instances that feed decode instances on measured devices, each figure with its band.
final class SteadyPairs {
    private static final int DECIMALS = 3;

    private static final List<Column> SUMMARY = List.of(
            column("Top", pair -> new Cell.Count(pair.row.rank())),
            column("P : D", pair -> new Cell.Text(instances(pair.row))),
            column("Throughput/device (token/s)", pair -> pair.perDevice().cell()),
            column("Throughput (token/s)", pair -> pair.tokens().cell()),
            column("TTFT (ms)", pair -> pair.ttft().cell()),
            column("TPOT (ms)", pair -> pair.tpot().cell()),
            column("concurrency", pair -> Cell.count(pair.load().concurrency())),
            column(
                    "P Parallel",
                    pair -> new Cell.Text(pair.row.prefillParallel().label())),
            column("D Parallel", pair -> new Cell.Text(pair.row.decodeParallel().label())),
            column("num_devices", pair -> Cell.count(pair.load().devicesUsed())),
            column("P Sustained (req/s)", pair -> Cell.figure(pair.row.prefillSustainedQps())),
            column("D Sustained (req/s)", pair -> Cell.figure(pair.row.decodeSustainedQps())),
            column(PhaseTable.SUSTAINED_TITLE, pair -> Cell.figure(pair.load().sustainedQps())),
            column("KV transfer (ms)", pair -> figure(pair.transferMillis())),
            column("flags", pair -> new Cell.Text(pair.flags())));

    private static final List<Column> COMPARISON = Stream.concat(
                    Stream.of(SUMMARY.getFirst(), column("Device", pair -> new Cell.Text(pair.device))),
                    SUMMARY.stream().skip(1))
            .toList();

    private static final Set<String> OPTIONAL = Stream.concat(
                    Stream.of("KV transfer (ms)", PairTables.OF_DECODE, WarningLines.TITLE),
                    Stream.concat(PairTables.OF_MEASURED.stream(), OnDevices.RECORDED.stream())
                            .map(PairTables.Column::title))
            .collect(Collectors.toUnmodifiableSet());

    private SteadyPairs() {}

    /// @param device name of the kind of device
    private record Pair(
            String device, int numDevices, @Nullable Integer numDecodeDevices, PdRatioRowResponse row) {
        private FigureBandsResponse bands() {
            return requireNonNull(row.bands(), "a pair of measured devices has bands");
        }

        private SteadyPairResponse load() {
            return requireNonNull(row.load(), "a pair of measured devices has a load");
        }

        private SteadyRowResponse steady() {
            return requireNonNull(row.steady(), "a pair of measured devices has a steady state");
        }

        private @Nullable Double transferMillis() {
            return row.kinds() == null ? null : row.kinds().kvTransferMs();
        }

        private BandedFigure ttft() {
            return BandedFigure.ttft(load().ttftMs(), bands());
        }

        private BandedFigure tpot() {
            return BandedFigure.tpot(load().tpotMs(), bands());
        }

        private BandedFigure tokens() {
            return BandedFigure.tokens(load().tokensPerS(), bands());
        }

        private BandedFigure perDevice() {
            return BandedFigure.tokensPerDevice(load().tokensPerSPerDevice(), bands());
        }

        private BandedFigure qps() {
            return BandedFigure.qps(load().qps(), bands());
        }

        private String flags() {
            List<String> flags = bands().flags();
            return flags == null ? "" : String.join(" ", flags);
        }
    }

    private record Column(String title, Function<Pair, Cell> cell) {}

    static List<Fact> best(PdRatioRowResponse row) {
        Pair pair = new Pair("", 0, null, row);
        List<Fact> facts = new ArrayList<>(List.of(
                new Fact("PD Ratio", instances(row) + " (P Instance:D Instance)"),
                new Fact("Throughput per device", pair.perDevice().text("tokens/s")),
                new Fact("Throughput", pair.tokens().text("tokens/s")),
                new Fact("TTFT", pair.ttft().text("ms") + PairTables.transfer(row)),
                new Fact("TPOT", pair.tpot().text("ms"))));
        Objectives.best(row.objective()).ifPresent(facts::add);
        return facts;
    }

    static Table summary(DeviceResponse device, PdRatioResponse result) {
        return Objectives.beside(
                table(SUMMARY, pairs(device, result)), 1, result.rows().stream().map(PdRatioRowResponse::objective));
    }

    static Table comparison(List<RankedPairResponse> ranked) {
        return Objectives.beside(
                table(
                        COMPARISON,
                        ranked.stream()
                                .map(one ->
                                        new Pair(one.device(), one.numDevices(), one.numDecodeDevices(), one.pair()))),
                2,
                ranked.stream().map(one -> one.pair().objective()));
    }

    /// Every shown pair with all its columns; each figure is followed by the ends of its band, or of the range of an
    /// Ascend device.
    static Table records(Findings findings) {
        return table(
                records(findings.request(), findings.result().accounting()),
                findings.devices().stream().flatMap(device -> {
                    PdRatioResponse result = device.pdRatio();
                    return result == null ? Stream.empty() : pairs(device, result);
                }));
    }

    private static List<Column> records(OptimizationRequest request, String accounting) {
        return Stream.of(
                        Stream.of(
                                column("rank", pair -> new Cell.Count(pair.row.rank())),
                                column("device_name", pair -> new Cell.Text(pair.device)),
                                column("num_devices", pair -> new Cell.Count(pair.numDevices)),
                                column(PairTables.OF_DECODE, pair -> Cell.count(pair.numDecodeDevices)),
                                column("model_id", _ -> new Cell.Text(request.modelName())),
                                column(
                                        "input_length",
                                        _ -> Cell.count(request.workload().inputLength())),
                                column(
                                        "output_length",
                                        _ -> Cell.count(request.workload().outputLength())),
                                column("pd_ratio", pair -> new Cell.Figure(pair.row.pdRatio(), DECIMALS)),
                                column("prefill_instances", pair -> Cell.count(pair.row.prefillInstances())),
                                column("decode_instances", pair -> Cell.count(pair.row.decodeInstances())),
                                column(
                                        "devices_used",
                                        pair -> Cell.count(pair.load().devicesUsed())),
                                column(
                                        "concurrency",
                                        pair -> Cell.count(pair.load().concurrency())),
                                column("running", pair -> figure(pair.steady().running()))),
                        figure("ttft", Pair::ttft),
                        figure("tpot", Pair::tpot),
                        figure("token/s", Pair::tokens),
                        figure("token/s/device", Pair::perDevice),
                        figure("qps", Pair::qps),
                        Stream.of(
                                column(
                                        "parallel_p",
                                        pair -> new Cell.Text(
                                                pair.row.prefillParallel().label())),
                                column(
                                        "parallel_d",
                                        pair -> new Cell.Text(
                                                pair.row.decodeParallel().label())),
                                column("num_devices_p", pair -> new Cell.Count(pair.row.prefillDevices())),
                                column("num_devices_d", pair -> new Cell.Count(pair.row.decodeDevices())),
                                column("accounting", _ -> new Cell.Text(accounting)),
                                column("flags", pair -> new Cell.Text(pair.flags())),
                                column("p_sustained_qps", pair -> figure(pair.row.prefillSustainedQps())),
                                column("d_sustained_qps", pair -> figure(pair.row.decodeSustainedQps())),
                                column(
                                        "sustained_qps",
                                        pair -> figure(pair.load().sustainedQps()))),
                        Stream.concat(PairTables.OF_MEASURED.stream(), OnDevices.RECORDED.stream())
                                .map(extra -> column(
                                        extra.title(), pair -> extra.cell().apply(pair.row))),
                        objective(request),
                        Stream.of(column(WarningLines.TITLE, pair -> WarningLines.cell(pair.row.warnings()))))
                .flatMap(columns -> columns)
                .toList();
    }

    /// What pairs are ranked by, where that was asked for.
    private static Stream<Column> objective(OptimizationRequest request) {
        return request.objective() == null
                ? Stream.empty()
                : Stream.concat(
                        columns(Objectives.RECORDED, Objectives::recorded),
                        columns(Objectives.RECORDED_ENDS, Objectives::recordedEnds));
    }

    private static Stream<Column> columns(
            List<String> titles, Function<@Nullable ObjectiveResponse, List<Cell>> cells) {
        return IntStream.range(0, titles.size())
                .mapToObj(index -> column(
                        titles.get(index),
                        pair -> cells.apply(pair.row.objective()).get(index)));
    }

    private static Stream<Column> figure(String title, Function<Pair, BandedFigure> figure) {
        return Stream.of(
                column(title, pair -> figure(figure.apply(pair).value())),
                column(title + "_low", pair -> figure(figure.apply(pair).low())),
                column(title + "_high", pair -> figure(figure.apply(pair).high())));
    }

    private static Stream<Pair> pairs(DeviceResponse device, PdRatioResponse result) {
        return result.rows().stream()
                .map(row -> new Pair(device.device(), device.numDevices(), device.numDecodeDevices(), row));
    }

    /// Without columns of what was not asked for.
    private static Table table(List<Column> all, Stream<Pair> some) {
        List<Pair> pairs = some.toList();
        List<Column> columns = all.stream()
                .filter(column -> !OPTIONAL.contains(column.title)
                        || pairs.stream()
                                .anyMatch(pair -> !column.cell.apply(pair).equals(Cell.MISSING)))
                .toList();
        return new Table(
                columns.stream().map(Column::title).toList(),
                pairs.stream()
                        .map(pair -> columns.stream()
                                .map(column -> column.cell.apply(pair))
                                .toList())
                        .toList());
    }

    private static Column column(String title, Function<Pair, Cell> cell) {
        return new Column(title, cell);
    }

    private static String instances(PdRatioRowResponse row) {
        return row.prefillInstances() + " : " + row.decodeInstances();
    }

    private static Cell figure(@Nullable Double number) {
        return number == null ? Cell.MISSING : new Cell.Figure(number, DECIMALS);
    }
}
