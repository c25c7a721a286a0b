package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.AvailableResponse;
import io.throughputoptimizer.api.result.MostInstancesResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.PairTables.Column;
import io.throughputoptimizer.report.Section.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the devices available make of pairs: what stands idle, and the numbers that serve most.
final class OnDevices {

    /// Columns of tables for people.
    static final List<Column> SUMMARY = List.of(
            new Column("Idle", row -> Cell.count(idle(row))),
            new Column("Most P : D", row -> most(row, most -> new Cell.Text(instances(most)))),
            new Column("Most QPS (req/s)", row -> most(row, most -> Cell.figure(most.qps()))));

    /// Columns of CSV.
    static final List<Column> RECORDED = List.of(
            new Column("devices_idle", row -> Cell.count(idle(row))),
            new Column("most_prefill_instances", row -> most(row, most -> Cell.count(most.prefillInstances()))),
            new Column("most_decode_instances", row -> most(row, most -> Cell.count(most.decodeInstances()))),
            new Column("most_devices_used", row -> most(row, most -> Cell.count(most.devicesUsed()))),
            new Column("most_qps", row -> most(row, most -> PairTables.rate(most.qps()))),
            new Column("most_token/s", row -> most(row, most -> PairTables.rate(most.tokensPerS()))));

    private OnDevices() {}

    /// Of the best pair.
    static List<Fact> best(PdRatioRowResponse row) {
        List<Fact> facts = new ArrayList<>();
        Integer idle = idle(row);
        if (idle != null && idle > 0) {
            facts.add(new Fact("Idle Devices", String.valueOf(idle)));
        }
        MostInstancesResponse most =
                row.available() == null ? null : row.available().most();
        if (most != null) {
            facts.add(new Fact(
                    "Serves Most",
                    instances(most) + " (P Instance:D Instance), " + Decimals.fixed(most.qps(), 2) + " req/s on "
                            + most.devicesUsed() + " devices"));
        }
        return facts;
    }

    /// A table with the columns of what is to be said.
    static Table beside(Table table, List<PdRatioRowResponse> rows) {
        Table more = table;
        for (Column column : said(rows).toList()) {
            more = more.with(
                    more.columns().size(),
                    column.title(),
                    rows.stream().map(column.cell()).toList());
        }
        return more;
    }

    private static Stream<Column> said(List<PdRatioRowResponse> rows) {
        return SUMMARY.stream()
                .filter(column ->
                        rows.stream().anyMatch(row -> !column.cell().apply(row).equals(Cell.MISSING)));
    }

    private static @Nullable Integer idle(PdRatioRowResponse row) {
        AvailableResponse available = row.available();
        return available == null ? null : available.devicesIdle();
    }

    private static Cell most(PdRatioRowResponse row, Function<MostInstancesResponse, Cell> cell) {
        AvailableResponse available = row.available();
        return available == null || available.most() == null ? Cell.MISSING : cell.apply(available.most());
    }

    private static String instances(MostInstancesResponse most) {
        return most.prefillInstances() + " : " + most.decodeInstances();
    }
}
