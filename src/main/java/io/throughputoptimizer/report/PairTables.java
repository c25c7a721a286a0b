package io.throughputoptimizer.report;

import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Tables of pairs of prefill and decode instances: of one size each in a ratio, in the numbers of instances that are
/// best for them, or on measured devices.
final class PairTables {
    /// Figures of one instance of each size, and the number of instances needed.
    private static final List<Column<PairLine>> RATIOS = List.of(
            PairColumns.RATIO,
            PairColumns.BALANCED_QPS,
            PairColumns.PREFILL_QPS,
            PairColumns.DECODE_QPS,
            PairColumns.PREFILL_SUSTAINED,
            PairColumns.DECODE_SUSTAINED,
            PairColumns.PREFILL_TTFT,
            PairColumns.DECODE_TPOT,
            PairColumns.E2E_LATENCY,
            PairColumns.ACCEPTED,
            PairColumns.PREFILL_PARALLEL,
            PairColumns.DECODE_PARALLEL,
            PairColumns.PREFILL_DEVICES,
            PairColumns.DECODE_DEVICES,
            PairColumns.PREFILL_BATCH,
            PairColumns.DECODE_BATCH,
            PairColumns.PREFILL_CONCURRENCY,
            PairColumns.DECODE_CONCURRENCY);

    /// Figures of instances in their best numbers.
    private static final List<Column<PairLine>> COUNTS = List.of(
            PairColumns.INSTANCES,
            PairColumns.QPS_PER_DEVICE,
            PairColumns.QPS,
            PairColumns.SUSTAINED,
            PairColumns.TTFT,
            PairColumns.TRANSFER_TIME,
            PairColumns.TPOT,
            PairColumns.E2E_LATENCY,
            PairColumns.ACCEPTED,
            PairColumns.DEVICES_USED);

    private static final List<Column<PairLine>> COUNTED = List.of(
            PairColumns.PREFILL_DEVICES,
            PairColumns.DECODE_DEVICES,
            PairColumns.PREFILL_PARALLEL,
            PairColumns.DECODE_PARALLEL,
            PairColumns.PREFILL_BATCH,
            PairColumns.DECODE_BATCH,
            PairColumns.PREFILL_SUSTAINED,
            PairColumns.DECODE_SUSTAINED);

    /// Figures of the calibrated model with their intervals.
    private static final List<Column<PairLine>> MEASURED = List.of(
            PairColumns.INSTANCES,
            PairColumns.THROUGHPUT_PER_DEVICE,
            PairColumns.THROUGHPUT,
            PairColumns.TTFT,
            PairColumns.TPOT,
            PairColumns.E2E_LATENCY,
            PairColumns.STEP,
            PairColumns.CONCURRENCY,
            PairColumns.PREFILL_PARALLEL,
            PairColumns.DECODE_PARALLEL,
            PairColumns.DEVICES_USED,
            PairColumns.PREFILL_SUSTAINED,
            PairColumns.DECODE_SUSTAINED,
            PairColumns.SUSTAINED,
            PairColumns.TRANSFER_TIME.decimals(3, 3),
            PairColumns.FLAGS);

    private static final List<Column<PairLine>> COMPARED = List.of(
            PairColumns.BALANCED_QPS,
            PairColumns.RATIO.titled("PD Ratio (P:D inst)"),
            PairColumns.PREFILL_QPS,
            PairColumns.DECODE_QPS,
            PairColumns.PREFILL_SUSTAINED.optional(),
            PairColumns.DECODE_SUSTAINED.optional(),
            PairColumns.PREFILL_TTFT,
            PairColumns.DECODE_TPOT,
            PairColumns.E2E_LATENCY,
            PairColumns.PREFILL_INSTANCES,
            PairColumns.DECODE_INSTANCES);

    private static final List<Column<PairLine>> RECORDED = List.of(
            PairColumns.RATIO,
            PairColumns.PREFILL_QPS,
            PairColumns.DECODE_QPS,
            PairColumns.BALANCED_QPS,
            PairColumns.PREFILL_TTFT,
            PairColumns.DECODE_TPOT,
            PairColumns.PREFILL_PARALLEL,
            PairColumns.DECODE_PARALLEL,
            PairColumns.PREFILL_DEVICES,
            PairColumns.DECODE_DEVICES,
            PairColumns.PREFILL_BATCH,
            PairColumns.DECODE_BATCH,
            PairColumns.PREFILL_CONCURRENCY,
            PairColumns.DECODE_CONCURRENCY,
            PairColumns.PREFILL_INSTANCES,
            PairColumns.DECODE_INSTANCES);

    private static final List<Column<PairLine>> RECORDED_COUNTS = List.of(
            PairColumns.PREFILL_DEVICE,
            PairColumns.DECODE_DEVICE,
            PairColumns.DEVICES_USED.optional(),
            PairColumns.QPS.optional(),
            PairColumns.QPS_PER_DEVICE.optional(),
            PairColumns.E2E_LATENCY,
            PairColumns.TRANSFER_TIME,
            PairColumns.TRANSFER_SIZE,
            PairColumns.SUSTAINED.optional());

    private static final List<Column<PairLine>> RECORDED_MEASURED = List.of(
            PairColumns.RATIO,
            PairColumns.PREFILL_INSTANCES,
            PairColumns.DECODE_INSTANCES,
            PairColumns.DEVICES_USED,
            PairColumns.CONCURRENCY,
            PairColumns.RUNNING,
            PairColumns.TTFT,
            PairColumns.TPOT,
            PairColumns.E2E_LATENCY,
            PairColumns.THROUGHPUT,
            PairColumns.THROUGHPUT_PER_DEVICE,
            PairColumns.QPS,
            PairColumns.PREFILL_PARALLEL,
            PairColumns.DECODE_PARALLEL,
            PairColumns.PREFILL_DEVICES,
            PairColumns.DECODE_DEVICES);

    private static final List<Column<PairLine>> RECORDED_BESIDE = List.of(
            PairColumns.FLAGS,
            PairColumns.PREFILL_SUSTAINED,
            PairColumns.DECODE_SUSTAINED,
            PairColumns.SUSTAINED,
            PairColumns.PREFILL_DEVICE,
            PairColumns.DECODE_DEVICE,
            PairColumns.TRANSFER_TIME,
            PairColumns.TRANSFER_SIZE);

    private PairTables() {}

    /// All pairs on one kind of device, for people.
    static Table summary(List<PairLine> pairs, boolean calibrated) {
        List<Column<PairLine>> figures = calibrated ? MEASURED : areCounted(pairs) ? optional(COUNTS, COUNTED) : RATIOS;
        return titled(
                pairs,
                List.of(PairColumns.RANK),
                figures,
                Stream.concat(ConversationColumns.shownOfPairs().stream(), PairColumns.ON_DEVICES.stream())
                        .toList());
    }

    /// The best pair of each kind of device, for people.
    static Table comparison(List<PairLine> pairs, boolean calibrated) {
        return titled(
                pairs,
                List.of(PairColumns.RANK, PairColumns.DEVICE),
                calibrated ? MEASURED : areCounted(pairs) ? optional(COUNTS) : COMPARED,
                List.of());
    }

    /// Returns whether pairs are shown in their best numbers of instances.
    static boolean areCounted(List<PairLine> pairs) {
        return pairs.stream().anyMatch(pair -> pair.row().kinds() != null);
    }

    /// All pairs for programs (P/D ratio, combination): the place and the configuration, what pairs do, how many there
    /// are and the accounting, then what not every question asks for.
    static Table recorded(Findings findings) {
        return recorded(findings, PairLine.of(findings));
    }

    /// A record for each of some pairs.
    static Table recorded(Findings findings, List<PairLine> pairs) {
        boolean calibrated = findings.request().isCalibrated();
        AskedColumns asked = new AskedColumns(findings);
        return Table.recorded(
                (calibrated ? recordedMeasured(asked) : recordedRatios(asked))
                        .flatMap(List::stream)
                        .toList(),
                pairs,
                calibrated);
    }

    private static Stream<List<Column<PairLine>>> recordedRatios(AskedColumns asked) {
        return Stream.of(
                List.of(
                        PairColumns.RANK,
                        PairColumns.DEVICE,
                        PairColumns.NUM_DEVICES,
                        asked.model(),
                        asked.linear(PairLine::variant)),
                List.of(asked.attention(PairLine::variant), asked.inputLength(), asked.outputLength()),
                RECORDED,
                List.of(asked.<PairLine>accounting(), PairColumns.PREFILL_SUSTAINED, PairColumns.DECODE_SUSTAINED),
                asked.choices(PairLine::variant),
                RECORDED_COUNTS,
                PairColumns.ON_DEVICES,
                List.of(PairColumns.WARNINGS),
                asked.<PairLine>sharedExperts(),
                asked.<PairLine>fusedReductions(),
                asked.isApart() ? List.of(PairColumns.NUM_DECODE_DEVICES) : List.<Column<PairLine>>of(),
                asked.isRanked() ? PairColumns.OBJECTIVE : List.<Column<PairLine>>of());
    }

    private static Stream<List<Column<PairLine>>> recordedMeasured(AskedColumns asked) {
        return Stream.of(
                List.of(
                        PairColumns.RANK,
                        PairColumns.DEVICE,
                        PairColumns.NUM_DEVICES,
                        PairColumns.NUM_DECODE_DEVICES.optional(),
                        asked.model()),
                List.of(asked.<PairLine>inputLength(), asked.<PairLine>outputLength()),
                RECORDED_MEASURED,
                List.of(asked.<PairLine>accounting()),
                RECORDED_BESIDE,
                List.of(asked.<PairLine>drafts(
                        line -> line.row().decodeParallel().variant())),
                DraftColumns.recorded(line -> line.row().steady()),
                ConversationColumns.recordedOfPairs(),
                PairColumns.ON_DEVICES,
                asked.isRanked() ? PairColumns.OBJECTIVE : List.<Column<PairLine>>of(),
                asked.isRanked() ? PairColumns.OBJECTIVE_ENDS : List.<Column<PairLine>>of(),
                List.of(PairColumns.WARNINGS));
    }

    private static Table titled(
            List<PairLine> pairs,
            List<Column<PairLine>> first,
            List<Column<PairLine>> figures,
            List<Column<PairLine>> last) {
        return Table.titled(
                Stream.of(
                                first,
                                Objectives.column(pairs, pair -> pair.row().objective()).stream()
                                        .toList(),
                                figures,
                                last)
                        .flatMap(List::stream)
                        .toList(),
                pairs);
    }

    /// Without columns that nothing is said in.
    @SafeVarargs
    private static List<Column<PairLine>> optional(List<Column<PairLine>>... parts) {
        List<Column<PairLine>> optional = new ArrayList<>();
        for (List<Column<PairLine>> part : parts) {
            part.forEach(column -> optional.add(column.optional()));
        }
        return optional;
    }
}
