package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;

/// A link to be made, as it comes over the wire.
@Schema(name = "ShareRequest", description = "A link that shows one optimization to people without a key.")
public record ShareRequest(
        @Schema(description = "Days until it ends; default: 30.", example = "30")
        @Min(1)
        @Max(ShareRequest.MOST_DAYS)
        @Nullable
        Integer expiresInDays) {
    public static final int DEFAULT_DAYS = 30;
    public static final int MOST_DAYS = 365;

    public ShareRequest {
        expiresInDays = expiresInDays == null ? DEFAULT_DAYS : expiresInDays;
    }
}
