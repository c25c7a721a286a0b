package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.NearestQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.StoredQuantization;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Quantization of a checkpoint and the nearest values of `quantization`.
@Schema(
        name = "CheckpointQuantization",
        description = "Quantization of a checkpoint by the `quantization_config` of its configuration, and"
                + " the nearest scheme, which `quantization.checkpoint` selects.")
public record CheckpointResponse(
        @Schema(description = "`quant_method` of the configuration.", example = "compressed-tensors")
        String method,

        @Schema(description = "Nearest `quantization.linear`; absent without any.") @Nullable
        LinearQuantization linear,

        @Schema(description = "Nearest `quantization.non_expert_linear`, where that differs.") @Nullable
        LinearQuantization nonExpertLinear,

        @Schema(description = "`quantization.attention` that the checkpoint is made for; absent without any scheme.")
        @Nullable
        AttentionQuantization attention,

        @Schema(description = "`quantization.mxfp4_group_size` with 4-bit floats.") @Nullable
        Integer mxfp4GroupSize,

        @Schema(description = "Differences between the scheme and the checkpoint, in words.")
        List<String> differences,

        @Schema(description = "Reason why no scheme is near. Absent if one is.") @Nullable
        String obstacle) {

    /// Returns null for a model whose configuration has no quantization.
    public static @Nullable CheckpointResponse from(ModelArchitecture model) {
        StoredQuantization stored = model.stored();
        if (stored == null) {
            return null;
        }
        return NearestQuantization.of(model)
                .map(CheckpointResponse::of)
                .orElseGet(() -> new CheckpointResponse(
                        stored.method(),
                        null,
                        null,
                        null,
                        null,
                        List.of(),
                        NearestQuantization.obstacle(model).orElse(null)));
    }

    private static CheckpointResponse of(NearestQuantization nearest) {
        QuantizationScheme scheme = nearest.scheme();
        boolean blocks = scheme.linear() == LinearQuantization.MXFP4 || scheme.nonExperts() == LinearQuantization.MXFP4;
        return new CheckpointResponse(
                nearest.method(),
                scheme.linear(),
                scheme.nonExpertLinear(),
                scheme.attention(),
                blocks ? scheme.mxfp4GroupSize() : null,
                nearest.differences(),
                null);
    }

    /// All in one line: the method, and what the scheme has otherwise.
    public String words() {
        return differences.isEmpty() ? method : method + "; " + String.join("; ", differences);
    }
}
