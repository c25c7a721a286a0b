package io.throughputoptimizer.api.sweep;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An axis of a sweep: the values of one field, or objects that are merged into the base request.
@Schema(
        name = "SweepAxisRequest",
        description = "What cells differ in: `pointer` with `values`, or `label` with `merge`.")
public record AxisRequest(
        @Schema(
                description = "What the axis is called in rows and tables; with `pointer` that where it is absent.",
                example = "model")
        @Size(min = 1, max = 100)
        @Nullable
        String label,

        @Schema(
                description =
                        "Member of `base` that takes the values, as a JSON pointer (RFC 6901). It need not be there, nor"
                                + " the objects that hold it; an element of a list must be.",
                example = "/num_devices")
        @Size(min = 1, max = 1_000)
        @Nullable
        String pointer,

        @Schema(
                description =
                        "A list of values, or steps as an object: `from`, `to`, `steps` and, for equal ratios instead of"
                                + " equal distances, `scale` `log`. Where both ends are written as whole numbers, so are the steps, as"
                                + " far as that keeps them apart.",
                example = "[8, 16, 32]")
        @Nullable
        Object values,

        @Schema(
                description =
                        "Objects that are merged into `base`, one for each value of the axis (RFC 7396: null removes a"
                                + " member).")
        @Size(min = 1, max = AxisRequest.MOST_VALUES)
        @Nullable
        List<@NotNull Map<String, @Nullable Object>> merge) {
    /// Maximum number of values of one axis.
    static final int MOST_VALUES = 10_000;
}
