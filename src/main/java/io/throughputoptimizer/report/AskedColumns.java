package io.throughputoptimizer.report;

import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.figure.VariantResponse;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.Column;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Columns of what was asked, which are the same for every line of a table, or one of several values.
record AskedColumns(Findings findings) {

    <R> Column<R> model() {
        return Column.text("model_id", "Model", _ -> request().modelName());
    }

    <R> Column<R> inputLength() {
        return Column.count(
                "input_length", "Input length", _ -> request().workload().inputLength());
    }

    <R> Column<R> outputLength() {
        return Column.count(
                "output_length", "Output length", _ -> request().workload().outputLength());
    }

    <R> Column<R> accounting() {
        return Column.text("accounting", "Accounting", _ -> findings.result().accounting());
    }

    <R> Column<R> linear(Function<R, @Nullable VariantResponse> variant) {
        return Column.of(
                "quantize_linear_action",
                "Linear",
                line -> Cell.constant(request().quantization().linear(), of(line, variant, VariantResponse::linear)));
    }

    <R> Column<R> attention(Function<R, @Nullable VariantResponse> variant) {
        return Column.of(
                "quantize_attention_action",
                "Attention",
                line -> Cell.constant(
                        request().quantization().attention(), of(line, variant, VariantResponse::attention)));
    }

    /// Members of which the request gives several values, as far as it does.
    <R> List<Column<R>> choices(Function<R, @Nullable VariantResponse> variant) {
        return List.of(
                drafts(variant),
                DraftColumns.accepted(variant),
                Column.<R>of(
                                "quantize_non_expert_linear_action",
                                "Non-expert linear",
                                line -> Cell.constant(null, of(line, variant, VariantResponse::nonExpertLinear)))
                        .optional());
    }

    /// Tokens that steps draft, where lines say it.
    <R> Column<R> drafts(Function<R, @Nullable VariantResponse> variant) {
        return Column.<R>count(
                        "num_mtp_tokens", "Draft tokens", line -> of(line, variant, VariantResponse::numMtpTokens))
                .optional();
    }

    /// Columns of shared experts, if any are split.
    <R> List<Column<R>> sharedExperts() {
        return PhaseSummary.sharedExperts(request()).isPresent()
                ? List.of(Column.text("shared_expert_tp", "Shared experts split", _ -> "true"))
                : List.of();
    }

    /// Columns of fused products and reductions, if any.
    <R> List<Column<R>> fusedReductions() {
        return PhaseSummary.fusedReductions(request()).isPresent()
                ? List.of(Column.text("matmul_allreduce", "Product and all-reduce fused", _ -> "true"))
                : List.of();
    }

    /// Returns whether rows show their ranking objective.
    boolean isRanked() {
        return request().objective() != null;
    }

    /// Returns whether decode devices have a size of their own.
    boolean isApart() {
        return findings.devices().stream().anyMatch(device -> device.numDecodeDevices() != null);
    }

    private OptimizationRequest request() {
        return findings.request();
    }

    private static <R, T> @Nullable T of(
            R line, Function<R, @Nullable VariantResponse> variant, Function<VariantResponse, @Nullable T> member) {
        VariantResponse known = variant.apply(line);
        return known == null ? null : member.apply(known);
    }
}
