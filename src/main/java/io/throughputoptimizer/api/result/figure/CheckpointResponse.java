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
@Schema(name = "CheckpointQuantization")
public record CheckpointResponse(
        String method,
        @Nullable LinearQuantization linear,
        @Nullable LinearQuantization nonExpertLinear,
        @Nullable AttentionQuantization attention,
        @Nullable Integer mxfp4GroupSize,
        List<String> differences,
        @Nullable String obstacle) {

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
