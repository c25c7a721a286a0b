package io.throughputoptimizer.api.sweep;

import static java.util.Objects.requireNonNullElse;

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
@Schema(name = "SweepRequest", description = "A base request and the axes that vary it.")
public record SweepRequest(
        @Schema(
                description = "Base request of every cell, as for `POST /api/v1/optimizations`, without"
                        + " `explain` and `dump_original_results`.",
                types = "object")
        @Required
        @Nullable
        Map<String, @Nullable Object> base,

        @Schema(
                description =
                        "Axes of the sweep. Each combination of values is a cell; the last axis changes" + " fastest.")
        @Required
        @Size(min = 1, max = SweepRequest.MOST_AXES)
        @Nullable
        List<@NotNull @Valid AxisRequest> axes,

        @Schema(
                description = "Groups of axis labels that vary together, value by value, instead of in all"
                        + " combinations. Each group needs at least two axes with equally many values.",
                example = "[[\"/workload/input_length\", \"/workload/output_length\"]]")
        @Size(max = SweepRequest.MOST_AXES)
        List<@NotNull List<@NotNull String>> zip,

        @Schema(
                description = "Handling of invalid cells: `refuse` rejects the sweep, `skip` lists them.",
                defaultValue = "refuse")
        OnInvalid onInvalid) {
    static final int MOST_AXES = 12;

    /// The treatment of cells with invalid requests.
    public enum OnInvalid {
        REFUSE,
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
            description = "Axis of a sweep: `pointer` with `values`, or `label` with `merge`.")
    public record AxisRequest(
            @Schema(description = "Label of the axis in rows and tables. Default: `pointer`.", example = "model")
            @Size(min = 1, max = 100)
            @Nullable
            String label,

            @Schema(
                    description = "JSON pointer (RFC 6901) of the field of `base` that the axis sets. The field and"
                            + " its parent objects can be absent, list elements cannot.",
                    example = "/num_devices")
            @Size(min = 1, max = 1_000)
            @Nullable
            String pointer,

            @Schema(
                    description = "Values as a list, or as an object with `from`, `to` and `steps`. `\"scale\":"
                            + " \"log\"` gives equal ratios. If both ends are integers, the values"
                            + " are rounded to integers unless two coincide.",
                    example = "[8, 16, 32]")
            @Nullable
            Object values,

            @Schema(
                    description = "Objects to merge into `base`, one per value of the axis (RFC 7396: null removes a"
                            + " field).")
            @Size(min = 1, max = AxisRequest.MOST_VALUES)
            @Nullable
            List<@NotNull Map<String, @Nullable Object>> merge) {
        /// Maximum number of values of one axis.
        static final int MOST_VALUES = 10_000;
    }
}
