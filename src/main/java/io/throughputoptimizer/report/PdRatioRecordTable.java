package io.throughputoptimizer.report;

import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.PdRatioResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.VariantResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Every shown P/D ratio with all its columns (P/D ratio, combination), preceded by its place and the configuration
/// and followed by the instance counts and the accounting, by draft tokens where several numbers of them are tried, and
/// by the quantization of all but the routed experts where it is given; pairs in numbers of instances by what these
/// deliver together.
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
            "accounting",
            "p_sustained_qps",
            "d_sustained_qps");
    private static final List<Choice> CHOICES = List.of(
            new Choice("num_mtp_tokens", row -> Cell.count(variant(row, VariantResponse::numMtpTokens))),
            new Choice(
                    "quantize_non_expert_linear_action",
                    row -> Cell.constant(null, variant(row, VariantResponse::nonExpertLinear))));

    private static final List<Choice> OPTIONAL = Stream.concat(
                    CHOICES.stream(),
                    Stream.concat(
                            Stream.concat(PairTables.RECORDED.stream(), OnDevices.RECORDED.stream())
                                    .map(column -> new Choice(column.title(), column.cell())),
                            Stream.of(new Choice(WarningLines.TITLE, row -> WarningLines.cell(row.warnings())))))
            .toList();

    private PdRatioRecordTable() {}

    static Table of(Findings findings) {
        if (findings.request().isCalibrated()) {
            return SteadyPairs.records(findings);
        }
        List<Choice> choices = new ArrayList<>(OPTIONAL.stream()
                .filter(choice -> findings.devices().stream()
                        .map(DeviceResponse::pdRatio)
                        .filter(Objects::nonNull)
                        .flatMap(result -> result.rows().stream())
                        .anyMatch(row -> !choice.cell().apply(row).equals(Cell.MISSING)))
                .toList());
        if (PhaseSummary.sharedExperts(findings.request()).isPresent()) {
            choices.add(new Choice("shared_expert_tp", _ -> new Cell.Text("true")));
        }
        boolean apart = findings.devices().stream().anyMatch(device -> device.numDecodeDevices() != null);
        boolean ranked = findings.request().objective() != null;
        return new Table(
                Stream.of(
                                CONFIGURATION,
                                COMBINATION,
                                choices.stream().map(Choice::column).toList(),
                                apart ? List.of(PairTables.OF_DECODE) : List.<String>of(),
                                ranked ? Objectives.RECORDED : List.<String>of())
                        .flatMap(List::stream)
                        .toList(),
                findings.devices().stream()
                        .flatMap(device -> rows(findings, device, choices, apart, ranked))
                        .toList());
    }

    /// A column that only some tables have.
    private record Choice(String column, Function<PdRatioRowResponse, Cell> cell) {}

    /// Prefill and decode instances of a pair have the same draft tokens and quantization.
    private static <T> @Nullable T variant(PdRatioRowResponse row, Function<VariantResponse, @Nullable T> member) {
        VariantResponse variant = row.prefillParallel().variant();
        return variant == null ? null : member.apply(variant);
    }

    private static Stream<List<Cell>> rows(
            Findings findings, DeviceResponse device, List<Choice> choices, boolean apart, boolean ranked) {
        PdRatioResponse result = device.pdRatio();
        return result == null
                ? Stream.empty()
                : result.rows().stream()
                        .map(row -> Stream.of(
                                        configuration(findings.request(), device, row),
                                        combination(findings.result().accounting(), row),
                                        choices.stream()
                                                .map(choice -> choice.cell().apply(row))
                                                .toList(),
                                        apart ? List.of(Cell.count(device.numDecodeDevices())) : List.<Cell>of(),
                                        ranked ? Objectives.recorded(row.objective()) : List.<Cell>of())
                                .flatMap(List::stream)
                                .toList());
    }

    private static List<Cell> configuration(
            OptimizationRequest request, DeviceResponse device, PdRatioRowResponse row) {
        return List.of(
                new Cell.Count(row.rank()),
                new Cell.Text(device.device()),
                new Cell.Count(device.numDevices()),
                new Cell.Text(request.modelName()),
                Cell.constant(request.quantization().linear(), variant(row, VariantResponse::linear)),
                Cell.constant(request.quantization().attention(), variant(row, VariantResponse::attention)),
                Cell.count(request.workload().inputLength()),
                Cell.count(request.workload().outputLength()));
    }

    private static List<Cell> combination(String accounting, PdRatioRowResponse row) {
        return List.of(
                figure(row.pdRatio()),
                figure(row.prefillQps()),
                figure(row.decodeQps()),
                figure(row.balancedQps()),
                figure(row.ttft()),
                figure(row.tpot()),
                new Cell.Text(row.prefillParallel().label()),
                new Cell.Text(row.decodeParallel().label()),
                new Cell.Count(row.prefillDevices()),
                new Cell.Count(row.decodeDevices()),
                Cell.count(row.prefillBatchSize()),
                Cell.count(row.decodeBatchSize()),
                Cell.count(row.prefillConcurrency()),
                Cell.count(row.decodeConcurrency()),
                Cell.count(row.prefillInstances()),
                Cell.count(row.decodeInstances()),
                new Cell.Text(accounting),
                figure(row.prefillSustainedQps()),
                figure(row.decodeSustainedQps()));
    }

    private static Cell figure(@Nullable Double number) {
        return number == null ? Cell.MISSING : new Cell.Figure(number, DECIMALS);
    }
}
