package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// How few devices serve a demand, for programs: a line for each kind of instance of each deployment.
final class CapacityRecords {
    private static final int DECIMALS = 3;

    /// A kind of instance of a deployment.
    private record Line(DeploymentResponse row, GroupResponse group) {}

    private record Column(String title, Function<Line, Cell> cell) {}

    private CapacityRecords() {}

    static Table of(Findings findings, CapacityResponse capacity) {
        List<Column> columns = columns(findings, capacity);
        return new Table(
                columns.stream().map(Column::title).toList(),
                capacity.rows().stream()
                        .flatMap(row -> row.instances().stream().map(group -> new Line(row, group)))
                        .map(line -> columns.stream()
                                .map(column -> column.cell.apply(line))
                                .toList())
                        .toList());
    }

    private static List<Column> columns(Findings findings, CapacityResponse capacity) {
        List<Column> columns = new ArrayList<>(List.of(
                new Column("rank", line -> Cell.count(line.row.rank())),
                new Column("device_name", line -> new Cell.Text(line.row.device())),
                new Column("num_devices", line -> new Cell.Count(line.row.numDevices())),
                new Column("num_devices_unfavourable", line -> Cell.count(line.row.numDevicesUnfavourable())),
                new Column("model_id", _ -> new Cell.Text(findings.request().modelName())),
                new Column("deployment", line -> new Cell.Text(line.row.deployment())),
                figure("utilization", line -> line.row.utilization()),
                figure("ttft", line -> line.row.ttftMs()),
                figure("tpot", line -> line.row.tpotMs()),
                figure("req/s", line -> line.row.requestsPerS()),
                figure("token/s", line -> line.row.tokensPerS()),
                figure("most_req/s", line -> line.row.mostRequestsPerS()),
                new Column("phase", line -> new Cell.Text(line.group.phase().wireName())),
                new Column("instances", line -> new Cell.Count(line.group.count())),
                new Column("devices_per_instance", line -> Cell.count(line.group.devicesPerInstance())),
                figure("instance_utilization", line -> line.group.utilization()),
                new Column(
                        "parallel",
                        line -> new Cell.Text(line.group.load().parallel().label())),
                new Column(
                        "batch_size", line -> new Cell.Count(line.group.load().batchSize())),
                new Column(
                        "concurrency", line -> new Cell.Count(line.group.load().concurrency())),
                new Column(
                        "peak_batch_size",
                        line -> new Cell.Count(line.group.peak().batchSize())),
                new Column(
                        "peak_concurrency",
                        line -> new Cell.Count(line.group.peak().concurrency())),
                figure("peak_req/s", line -> line.group.mostRequestsPerS()),
                figure("avail_GB", line -> line.group.load().memory().availableGb()),
                new Column("accounting", _ -> new Cell.Text(findings.result().accounting()))));
        if (findings.request().kvTransfer() != null) {
            columns.add(new Column("kv_transfer_ms", line -> PairTables.rate(line.row.kvTransferMs())));
            columns.add(new Column("kv_transfer_gb", line -> PairTables.rate(line.row.kvTransferGb())));
        }
        if (findings.request().objective() != null) {
            columns.add(new Column("cost_per_hour", line -> PairTables.rate(line.row.costPerHour())));
            Stream.iterate(0, index -> index < Objectives.RECORDED.size(), index -> index + 1)
                    .map(index -> new Column(
                            Objectives.RECORDED.get(index),
                            line -> Objectives.recorded(line.row.objective()).get(index)))
                    .forEach(columns::add);
        }
        if (capacity.rows().stream()
                .flatMap(row -> row.instances().stream())
                .anyMatch(group -> group.load().warnings() != null)) {
            columns.add(new Column(
                    WarningLines.TITLE,
                    line -> WarningLines.cell(line.group.load().warnings())));
        }
        return columns;
    }

    private static Column figure(String title, Function<Line, Double> figure) {
        return new Column(title, line -> new Cell.Figure(figure.apply(line), DECIMALS));
    }
}
