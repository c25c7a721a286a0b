package io.throughputoptimizer.report;

import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.PageColumn;
import io.throughputoptimizer.report.table.PageColumn.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The tables of the page whose rows are figures: which columns they have, in which order. What the page makes up of a
/// row stands in them by name.
///
/// @param rows the best row of each layout
/// @param devices the best row of each kind of device
/// @param beside figures of the best rows of jobs side by side
/// @param ratios pairs of one size each
/// @param counts pairs in the numbers of instances that are best for them
/// @param measuredPairs pairs on measured devices
public record PageTables(
        List<PageColumn> rows,
        List<PageColumn> devices,
        List<PageColumn> beside,
        List<PageColumn> ratios,
        List<PageColumn> counts,
        List<PageColumn> measuredPairs) {
    private static final PageColumn OBJECTIVE = PageColumn.madeUp("objective");
    private static final PageColumn ON_DEVICES = PageColumn.madeUp("on_devices");
    private static final PageColumn OF_THE_BEST = PageColumn.madeUp("of_the_best");
    private static final PageColumn NUM_DEVICES = PageColumn.of(Kind.COUNT, "Devices", "num_devices");

    private static final List<PageColumn> KEPT_CACHES = List.of(
            PageColumn.of(Kind.SHARE, "Cache hits", "hit_rate"),
            PageColumn.of(Kind.SHARE, "Turns found", "turns_found"),
            PageColumn.of(Kind.FIGURE, "Conversations", "open_conversations"));

    private static final Set<Column<?>> NOT_COMPARED = Set.of(RowColumns.PER_DEVICE, RowColumns.QPS);
    private static final Set<Column<?>> NOT_BESIDE = Set.of(RowColumns.QPS, RowColumns.SUSTAINED);

    public static PageTables all() {
        return new PageTables(ofRows(), ofDevices(), ofFigures(), ofRatios(), ofCounts(), ofMeasuredPairs());
    }

    /// Requests a second of measured devices stand on the best row's card.
    private static List<PageColumn> ofRows() {
        return joined(
                pages(RowColumns.RANK, RowColumns.PARALLEL, RowColumns.REPLICAS),
                Stream.of(OBJECTIVE, RowColumns.THROUGHPUT.page(), OF_THE_BEST),
                RowColumns.FIGURES.stream()
                        .filter(column -> !column.equals(RowColumns.THROUGHPUT))
                        .map(column ->
                                column.equals(RowColumns.QPS) ? column.page().ofAnalytic() : column.page()),
                KEPT_CACHES.stream(),
                Stream.of(PageColumn.madeUp("percentiles"), RowColumns.FLAGS.page(), PageColumn.madeUp("load")),
                pages(RowColumns.BATCH_SIZE, RowColumns.CONCURRENCY),
                Stream.of(PageColumn.madeUp("limited_by")));
    }

    private static List<PageColumn> ofDevices() {
        return joined(
                Stream.of(RowColumns.RANK.page(), NUM_DEVICES, OBJECTIVE),
                Stream.of(RowColumns.THROUGHPUT.page(), OF_THE_BEST),
                RowColumns.FIGURES.stream()
                        .filter(column -> !column.equals(RowColumns.THROUGHPUT) && !NOT_COMPARED.contains(column))
                        .map(Column::page),
                pages(RowColumns.PARALLEL, RowColumns.BATCH_SIZE, RowColumns.CONCURRENCY, RowColumns.FLAGS));
    }

    private static List<PageColumn> ofFigures() {
        return RowColumns.FIGURES.stream()
                .filter(column -> !NOT_BESIDE.contains(column))
                .map(column -> column.equals(RowColumns.PER_DEVICE)
                        ? column.page().titled("Tokens/s per device")
                        : column.page())
                .toList();
    }

    private static List<PageColumn> ofRatios() {
        return joined(
                pages(PairColumns.RANK, PairColumns.RATIO),
                Stream.of(OBJECTIVE),
                pages(
                        PairColumns.INSTANCES,
                        PairColumns.BALANCED_QPS,
                        PairColumns.PREFILL_QPS,
                        PairColumns.DECODE_QPS,
                        PairColumns.PREFILL_SUSTAINED,
                        PairColumns.DECODE_SUSTAINED,
                        PairColumns.PREFILL_TTFT,
                        PairColumns.DECODE_TPOT,
                        PairColumns.E2E_LATENCY),
                Stream.of(ON_DEVICES),
                pages(
                        PairColumns.PREFILL_PARALLEL,
                        PairColumns.PREFILL_BATCH,
                        PairColumns.DECODE_PARALLEL,
                        PairColumns.DECODE_BATCH));
    }

    private static List<PageColumn> ofCounts() {
        return joined(
                pages(PairColumns.RANK, PairColumns.INSTANCES),
                Stream.of(OBJECTIVE),
                pages(
                        PairColumns.QPS_PER_DEVICE,
                        PairColumns.QPS,
                        PairColumns.SUSTAINED,
                        PairColumns.TTFT,
                        PairColumns.TRANSFER_TIME,
                        PairColumns.DECODE_TPOT,
                        PairColumns.E2E_LATENCY,
                        PairColumns.PREFILL_SUSTAINED,
                        PairColumns.DECODE_SUSTAINED,
                        PairColumns.DEVICES_USED),
                Stream.of(ON_DEVICES),
                pages(
                        PairColumns.PREFILL_DEVICE,
                        PairColumns.PREFILL_PARALLEL,
                        PairColumns.PREFILL_BATCH,
                        PairColumns.DECODE_DEVICE,
                        PairColumns.DECODE_PARALLEL,
                        PairColumns.DECODE_BATCH));
    }

    private static List<PageColumn> ofMeasuredPairs() {
        return joined(
                pages(PairColumns.RANK, PairColumns.INSTANCES),
                Stream.of(OBJECTIVE),
                pages(
                        PairColumns.THROUGHPUT,
                        PairColumns.THROUGHPUT_PER_DEVICE,
                        PairColumns.TTFT,
                        PairColumns.TPOT,
                        PairColumns.E2E_LATENCY),
                Stream.of(PairColumns.TRANSFER_TIME.page().withDigits(1)),
                KEPT_CACHES.stream(),
                Stream.of(ON_DEVICES),
                pages(
                        PairColumns.FLAGS,
                        PairColumns.PREFILL_DEVICE,
                        PairColumns.DECODE_DEVICE,
                        PairColumns.PREFILL_PARALLEL,
                        PairColumns.DECODE_PARALLEL,
                        PairColumns.PREFILL_SUSTAINED,
                        PairColumns.DECODE_SUSTAINED,
                        PairColumns.SUSTAINED,
                        PairColumns.CONCURRENCY,
                        PairColumns.DEVICES_USED));
    }

    private static Stream<PageColumn> pages(Column<?>... columns) {
        return Stream.of(columns).map(Column::page);
    }

    @SafeVarargs
    private static List<PageColumn> joined(Stream<PageColumn>... parts) {
        List<PageColumn> joined = new ArrayList<>();
        for (Stream<PageColumn> part : parts) {
            part.forEach(joined::add);
        }
        return joined;
    }
}
