package io.throughputoptimizer.api.sweep;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.WireFormat;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.nio.charset.StandardCharsets;
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

    /// A sweep as it was asked.
    ///
    /// @param json the body, as JSON, from which its cells are made wherever they run
    public record SubmittedSweep(SweepRequest request, String json) {
        /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if the document is malformed or does not
        /// have
        ///     the request's members
        public static SubmittedSweep read(WireFormat.Syntax syntax, byte[] document) {
            WireFormat.Parsed<SweepRequest> parsed = WireFormat.parse(syntax, document, SweepRequest.class);
            return new SubmittedSweep(parsed.value(), parsed.json());
        }

        /// One that [#read] has taken.
        public static SubmittedSweep stored(String json) {
            return new SubmittedSweep(
                    WireFormat.read(WireFormat.Syntax.JSON, json.getBytes(StandardCharsets.UTF_8), SweepRequest.class),
                    json);
        }
    }

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
}
