package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.core.workload.Workload;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;

/// Images that come with each request, as they come over the wire.
@Schema(
        name = "Image",
        description =
                "Images that come with each request. A model whose `supported.images` is false reads text only and"
                        + " ignores them.")
public record ImageRequest(
        @Schema(description = "Images per request; absent: as many as the batch size.", example = "1")
        @Min(1)
        @Max(Bounds.COUNT)
        @Nullable
        Integer batchSize,

        @Schema(description = "Height in pixels.", example = "1080") @Required @Min(1) @Max(Bounds.COUNT) @Nullable
        Integer height,

        @Schema(description = "Width in pixels.", example = "1920") @Required @Min(1) @Max(Bounds.COUNT) @Nullable
        Integer width) {

    public Workload.Images toImages() {
        return new Workload.Images(batchSize, requireNonNull(height), requireNonNull(width));
    }
}
