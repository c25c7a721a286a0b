package io.throughputoptimizer.report;

import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.PdRatioResult;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import io.throughputoptimizer.report.Findings.Question;
import java.util.List;
import java.util.stream.Stream;

/// Every shown P/D ratio with all its columns (P/D ratio, combination), preceded by its place and the configuration
/// and followed by the instance counts and the accounting.
final class PdRatioRecordTable {
    private static final int DECIMALS = 3;
    private static final List<String> CONFIGURATION = List.of(
            "rank",
            "device_name",
            "num_devices",
            "model_id",
            "quantize_linear_action",
            "quantize_attention_action",
            "input_length",
            "output_length");
    private static final List<String> COMBINATION = List.of(
            "pd_ratio",
            "p_qps",
            "d_qps",
            "balanced_qps",
            "ttft_p",
            "tpot_d",
            "parallel_p",
            "parallel_d",
            "num_devices_p",
            "num_devices_d",
            "batch_size_p",
            "batch_size_d",
            "concurrency_p",
            "concurrency_d",
            "prefill_instances",
            "decode_instances",
            "accounting");

    private PdRatioRecordTable() {}

    static Table of(Findings findings) {
        return new Table(
                Stream.concat(CONFIGURATION.stream(), COMBINATION.stream()).toList(),
                findings.devices().stream()
                        .flatMap(device -> rows(findings.question(), device))
                        .toList());
    }

    private static Stream<List<Cell>> rows(Question question, DeviceFindings device) {
        PdRatioResult result = device.pdRatio();
        return result == null
                ? Stream.empty()
                : result.rows().stream()
                        .map(row -> Stream.concat(
                                        configuration(question, device, row).stream(),
                                        combination(question, row).stream())
                                .toList());
    }

    private static List<Cell> configuration(Question question, DeviceFindings device, PdRatioRow row) {
        return List.of(
                Cell.count(row.rank()),
                new Cell.Text(device.device()),
                new Cell.Count(device.deviceCount()),
                new Cell.Text(question.modelId()),
                new Cell.Text(question.quantization().linear().name()),
                new Cell.Text(question.quantization().attention().name()),
                Cell.count(question.lengths().inputTokens()),
                new Cell.Count(question.lengths().outputTokens()));
    }

    private static List<Cell> combination(Question question, PdRatioRow row) {
        InstanceCounts instances = row.instances();
        return List.of(
                figure(row.ratio()),
                figure(row.prefill().qps()),
                figure(row.decode().qps()),
                figure(row.balancedQps()),
                figure(row.prefill().latencyMillis()),
                figure(row.decode().latencyMillis()),
                new Cell.Text(row.prefill().layout().label()),
                new Cell.Text(row.decode().layout().label()),
                new Cell.Count(row.prefill().deviceCount()),
                new Cell.Count(row.decode().deviceCount()),
                new Cell.Count(row.prefill().batchSize()),
                new Cell.Count(row.decode().batchSize()),
                new Cell.Count(row.prefill().concurrency()),
                new Cell.Count(row.decode().concurrency()),
                Cell.count(instances == null ? null : instances.prefill()),
                Cell.count(instances == null ? null : instances.decode()),
                new Cell.Text(question.accounting().name()));
    }

    private static Cell figure(double number) {
        return new Cell.Figure(number, DECIMALS);
    }
}
