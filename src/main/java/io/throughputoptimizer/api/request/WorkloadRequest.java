package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is asked of the deployment, as it comes over the wire.
@Schema(
        name = "Workload",
        description = "What is asked of the deployment. Exactly one of `input_length` and `length_distribution`.")
public record WorkloadRequest(
        @Schema(description = "Input tokens of every request.", example = "3500") @Min(1) @Max(Bounds.COUNT) @Nullable
        Integer inputLength,

        @Schema(description = "Shares of input lengths, for a batch of mixed lengths.") @Valid @Nullable
        LengthDistributionRequest lengthDistribution,

        @Schema(description = "Tokens generated per request.", example = "1500")
        @Required
        @Min(1)
        @Max(Bounds.COUNT)
        @Nullable
        Integer outputLength,

        @Schema(description = "Share of the input tokens found in the prefix cache.", defaultValue = "0.0")
        @DecimalMin("0")
        @DecimalMax(value = "1", inclusive = false)
        Double prefixCacheHitRate,

        @Schema(description = "Images that come with each request.") @Valid @Nullable
        ImageRequest image)
        implements Composite {
    static final WorkloadRequest EMPTY = new WorkloadRequest(null, null, null, 0.0, null);

    public WorkloadRequest {
        prefixCacheHitRate = requireNonNullElse(prefixCacheHitRate, 0.0);
    }

    @Override
    public List<Violation> inconsistencies() {
        return (inputLength == null) == (lengthDistribution == null)
                ? List.of(new Violation("", "needs exactly one of input_length and length_distribution"))
                : List.of();
    }
}
