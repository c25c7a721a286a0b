package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.Table;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Columns of deployments that serve a demand: a line of each for people, a record for each of its kinds of instance.
record CapacityColumns(Findings findings) {
    private static final double PERCENT = 100;

    private static final Column<DeploymentResponse> RANK = Column.count("rank", "Top", DeploymentResponse::rank);
    private static final Column<DeploymentResponse> DEVICE =
            Column.text("device", "Device", DeploymentResponse::device);
    private static final Column<DeploymentResponse> DEVICES =
            Column.count("num_devices", "Devices", DeploymentResponse::numDevices);
    private static final Column<DeploymentResponse> UNFAVOURABLE =
            Column.count("num_devices_unfavourable", "Devices at Worst", DeploymentResponse::numDevicesUnfavourable);
    private static final Column<DeploymentResponse> DEPLOYMENT =
            Column.text("deployment", "Deployment", DeploymentResponse::deployment);
    private static final Column<DeploymentResponse> UTILIZATION =
            Column.figure("utilization", Column.NONE, DeploymentResponse::utilization);
    private static final Column<DeploymentResponse> UTILIZATION_PERCENT = Column.<DeploymentResponse>figure(
                    Column.NONE, "Utilization (%)", row -> PERCENT * row.utilization())
            .decimals(1, 1);
    private static final Column<DeploymentResponse> TTFT =
            Column.figure("ttft_ms", "TTFT (ms)", DeploymentResponse::ttftMs);
    private static final Column<DeploymentResponse> TPOT =
            Column.figure("tpot_ms", "TPOT (ms)", DeploymentResponse::tpotMs);
    private static final Column<DeploymentResponse> E2E_LATENCY = Column.figure(
                    "e2e_latency_ms", "Request latency (ms)", DeploymentResponse::e2eLatencyMs)
            .optional();
    /// Figures of the last instances, which decode.
    private static final Column<DeploymentResponse> STEP =
            DraftColumns.step(row -> row.instances().getLast().load().steady());

    private static final Column<DeploymentResponse> ACCEPTED = DraftColumns.accepted(
            row -> row.instances().getLast().load().parallel().variant());
    private static final Column<DeploymentResponse> MOST =
            Column.figure("most_requests_per_s", "Most (req/s)", DeploymentResponse::mostRequestsPerS);
    private static final Column<DeploymentResponse> TRANSFER_TIME =
            Column.figure("kv_transfer_ms", "KV transfer (ms)", DeploymentResponse::kvTransferMs);
    private static final Column<DeploymentResponse> TRANSFER_SIZE =
            Column.figure("kv_transfer_gb", Column.NONE, DeploymentResponse::kvTransferGb);

    private static final List<Column<DeploymentResponse>> RECORDED = List.of(
            DEPLOYMENT,
            UTILIZATION,
            TTFT,
            TPOT,
            E2E_LATENCY,
            Column.figure("requests_per_s", Column.NONE, DeploymentResponse::requestsPerS),
            Column.figure("tokens_per_s", Column.NONE, DeploymentResponse::tokensPerS),
            MOST);

    private static final List<Column<GroupResponse>> OF_INSTANCES = List.of(
            Column.text("phase", Column.NONE, group -> group.phase().wireName()),
            Column.count("instances", Column.NONE, GroupResponse::count),
            Column.count("devices_per_instance", Column.NONE, GroupResponse::devicesPerInstance),
            Column.figure("instance_utilization", Column.NONE, GroupResponse::utilization),
            RowColumns.PARALLEL.of(GroupResponse::load),
            RowColumns.BATCH_SIZE.of(GroupResponse::load),
            RowColumns.CONCURRENCY.of(GroupResponse::load),
            RowColumns.BATCH_SIZE.named("peak_batch_size").of(GroupResponse::peak),
            RowColumns.CONCURRENCY.named("peak_concurrency").of(GroupResponse::peak),
            Column.figure("peak_requests_per_s", Column.NONE, GroupResponse::mostRequestsPerS),
            RowColumns.memory("available_gb", MemoryResponse::availableGb).of(GroupResponse::load));

    /// A kind of instance of a deployment.
    private record Group(DeploymentResponse row, GroupResponse group) {}

    Table summary(List<DeploymentResponse> rows) {
        return Table.titled(
                Stream.of(
                                Stream.of(RANK, DEVICE),
                                Objectives.column(rows, DeploymentResponse::objective).stream(),
                                Stream.of(
                                        DEVICES,
                                        cost().optional(),
                                        UNFAVOURABLE.optional(),
                                        DEPLOYMENT,
                                        each("Instances", group -> group.count() + " x " + group.devicesPerInstance()),
                                        UTILIZATION_PERCENT,
                                        TTFT,
                                        TRANSFER_TIME.optional(),
                                        TPOT,
                                        E2E_LATENCY,
                                        STEP,
                                        ACCEPTED,
                                        MOST,
                                        each(
                                                "Parallel",
                                                group -> group.load().parallel().label()),
                                        each(
                                                "Batch Size",
                                                group -> Long.toString(
                                                        group.load().batchSize()))))
                        .flatMap(columns -> columns)
                        .toList(),
                rows);
    }

    Table recorded(CapacityResponse capacity) {
        AskedColumns asked = new AskedColumns(findings);
        boolean transfers = findings.request().kvTransfer() != null;
        List<Column<DeploymentResponse>> ranking = Stream.concat(
                        Stream.of(cost()), Objectives.recorded(DeploymentResponse::objective).stream())
                .toList();
        return Table.recorded(
                Stream.of(
                                of(List.of(RANK, DEVICE, DEVICES, UNFAVOURABLE, asked.model())),
                                of(RECORDED),
                                OF_INSTANCES.stream().map(column -> column.<Group>of(Group::group)),
                                Stream.of(asked.<Group>accounting()),
                                of(transfers ? List.of(TRANSFER_TIME, TRANSFER_SIZE) : List.of()),
                                of(asked.isRanked() ? ranking : List.of()),
                                Stream.of(asked.<Group>drafts(
                                        line -> line.group.load().parallel().variant())),
                                Stream.of(DraftColumns.<Group>accepted(
                                        line -> line.group.load().parallel().variant())),
                                DraftColumns.<Group>recorded(
                                        line -> line.group.load().steady())
                                        .stream(),
                                Stream.of(WarningLines.<Group>column(
                                        line -> line.group.load().warnings())))
                        .flatMap(columns -> columns)
                        .toList(),
                capacity.rows().stream()
                        .flatMap(row -> row.instances().stream().map(group -> new Group(row, group)))
                        .toList(),
                false);
    }

    private static Stream<Column<Group>> of(List<Column<DeploymentResponse>> columns) {
        return columns.stream().map(column -> column.of(Group::row));
    }

    private Column<DeploymentResponse> cost() {
        return Column.figure(
                "cost_per_hour",
                "Cost (" + Objectives.perHour(findings.request()) + ")",
                DeploymentResponse::costPerHour);
    }

    private static Column<DeploymentResponse> each(String title, Function<GroupResponse, String> text) {
        return Column.text(
                Column.NONE, title, row -> row.instances().stream().map(text).collect(Collectors.joining(" > ")));
    }
}
