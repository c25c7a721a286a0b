package io.throughputoptimizer.report.explanation;

import io.throughputoptimizer.api.result.FrontierResponse.FrontierPointResponse;
import io.throughputoptimizer.api.result.FrontierResponse.PairedResponse;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Table;
import java.util.List;
import java.util.stream.Stream;

/// Columns of the points of a phase that no other one beats.
public final class FrontierColumns {
    private static final Column<FrontierPointResponse> LABEL =
            Column.text("label", "Parallel", FrontierPointResponse::label);
    private static final Column<FrontierPointResponse> TTFT =
            Column.figure("ttft_ms", "TTFT (ms)", FrontierPointResponse::ttftMs);
    private static final Column<FrontierPointResponse> TPOT =
            Column.figure("tpot_ms", "TPOT (ms)", FrontierPointResponse::tpotMs);
    private static final List<Column<FrontierPointResponse>> RATES = List.of(
            Column.figure("tokens_per_s", "Throughput", FrontierPointResponse::tokensPerS),
            Column.figure("tokens_per_s_per_device", "per device", FrontierPointResponse::tokensPerSPerDevice),
            Column.figure("tokens_per_s_per_user", "per user", FrontierPointResponse::tokensPerSPerUser));
    private static final Column<FrontierPointResponse> COST = Column.figure(
                    "cost_per_million_tokens", "per million tokens", FrontierPointResponse::costPerMillionTokens)
            .decimals(4, 4);

    private FrontierColumns() {}

    /// A point, with the device and phase that it belongs to.
    public record Point(String device, String phase, FrontierPointResponse point) {}

    static Table titled(List<FrontierPointResponse> all, List<FrontierPointResponse> shown) {
        return Table.titled(
                Stream.of(
                                RATES,
                                all.stream().allMatch(point -> point.costPerMillionTokens() == null)
                                        ? List.<Column<FrontierPointResponse>>of()
                                        : List.of(COST),
                                List.of(
                                        TTFT,
                                        TPOT,
                                        LABEL,
                                        Column.<FrontierPointResponse>of(
                                                Column.NONE,
                                                all.stream().anyMatch(FrontierColumns::isOfAll)
                                                        ? "Concurrency"
                                                        : "Batch",
                                                point -> isOfAll(point)
                                                        ? Cell.count(point.concurrency())
                                                        : batches(point)),
                                        Column.<FrontierPointResponse>text(
                                                Column.NONE,
                                                "Within limits",
                                                point -> point.withinSlo() ? "yes" : "no")))
                        .flatMap(List::stream)
                        .toList(),
                shown);
    }

    public static Table recorded(List<Point> points) {
        Stream<Column<FrontierPointResponse>> columns = Stream.of(
                        List.of(
                                LABEL,
                                Column.of("batch_size", Column.NONE, FrontierColumns::batches),
                                Column.count("concurrency", Column.NONE, FrontierPointResponse::concurrency),
                                TTFT,
                                TPOT),
                        RATES,
                        List.of(
                                COST,
                                Column.<FrontierPointResponse>text(
                                        "within_slo", Column.NONE, point -> Boolean.toString(point.withinSlo()))))
                .flatMap(List::stream);
        return Table.recorded(
                Stream.concat(
                                Stream.of(
                                        Column.text("device", Column.NONE, Point::device),
                                        Column.text("phase", Column.NONE, Point::phase)),
                                columns.map(column -> column.<Point>of(Point::point)))
                        .toList(),
                points,
                false);
    }

    /// Returns whether only requests of all instances are known for a pair.
    private static boolean isOfAll(FrontierPointResponse point) {
        return point.pair() != null && point.concurrency() != null;
    }

    /// The batch size, or those of both sides of a pair; missing where only all requests are known.
    private static Cell batches(FrontierPointResponse point) {
        PairedResponse pair = point.pair();
        return pair == null || pair.prefillBatchSize() == null
                ? Cell.count(point.batchSize())
                : new Cell.Text(pair.prefillBatchSize() + " + " + pair.decodeBatchSize());
    }
}
