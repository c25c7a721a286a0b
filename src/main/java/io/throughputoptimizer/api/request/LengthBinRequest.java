package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.core.workload.LengthBin;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;

/// Requests of similar length, as they come over the wire.
@Schema(name = "LengthBin", description = "Requests of similar length.")
public record LengthBinRequest(
        @Schema(description = "Shortest in tokens, inclusive.", example = "0")
        @Required
        @Min(0)
        @Max(Bounds.COUNT)
        @Nullable
        Integer minTokens,

        @Schema(description = "Longest in tokens; above `min_tokens`.", example = "500")
        @Required
        @Max(Bounds.COUNT)
        @Nullable
        Integer maxTokens,

        @Schema(description = "Share of the requests relative to the other bins; weights need not sum to 1.")
        @Required
        @Positive
        @DecimalMax(Bounds.WEIGHT)
        @Nullable
        Double weight) {

    boolean isComplete() {
        return minTokens != null && maxTokens != null && weight != null;
    }

    LengthBin toBin() {
        return new LengthBin(requireNonNull(minTokens), requireNonNull(maxTokens), requireNonNull(weight));
    }
}
