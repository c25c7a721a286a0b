package io.throughputoptimizer.api.sweep;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Required;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A grid of questions to the optimizer, as it comes over the wire: a question, and what its cells differ in.
@Schema(name = "SweepRequest", description = "A question to the optimizer, and the axes along which it is varied.")
public record SweepRequest(
        @Schema(
                description = "The question that every cell starts from, as `POST /api/v1/optimizations` takes it,"
                        + " without `explain` and `dump_original_results`.",
                types = "object")
        @Required
        @Nullable
        Map<String, @Nullable Object> base,

        @Schema(
                description =
                        "What cells differ in; there is a cell for each combination, the last axis going fastest.")
        @Required
        @Size(min = 1, max = SweepRequest.MOST_AXES)
        @Nullable
        List<@NotNull @Valid AxisRequest> axes,

        @Schema(
                description = "Labels of axes that go together, value by value, instead of in all combinations; each"
                        + " list names at least two axes of as many values.",
                example = "[[\"/workload/input_length\", \"/workload/output_length\"]]")
        @Size(max = SweepRequest.MOST_AXES)
        List<@NotNull List<@NotNull String>> zip,

        @Schema(
                description =
                        "What becomes of a sweep with cells that are no valid questions: `refuse` it, or `skip` and"
                                + " list those.",
                defaultValue = "refuse")
        OnInvalid onInvalid) {
    static final int MOST_AXES = 12;

    /// The treatment of cells with invalid requests.
    public enum OnInvalid {
        @JsonProperty("refuse")
        REFUSE,
        @JsonProperty("skip")
        SKIP
    }

    public SweepRequest {
        zip = requireNonNullElse(zip, List.of());
        onInvalid = requireNonNullElse(onInvalid, OnInvalid.REFUSE);
    }
}
