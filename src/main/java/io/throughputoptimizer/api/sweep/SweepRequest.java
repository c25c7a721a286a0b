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
@Schema(name = "SweepRequest")
public record SweepRequest(
        @Schema(types = "object") @Required @Nullable Map<String, @Nullable Object> base,

        @Required @Size(min = 1, max = SweepRequest.MOST_AXES) @Nullable
        List<@NotNull @Valid AxisRequest> axes,

        @Size(max = SweepRequest.MOST_AXES) List<@NotNull List<@NotNull String>> zip,
        @Schema(defaultValue = "refuse") OnInvalid onInvalid) {
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
    @Schema(name = "SweepAxisRequest")
    public record AxisRequest(
            @Size(min = 1, max = 100) @Nullable String label,
            @Size(min = 1, max = 1_000) @Nullable String pointer,
            @Nullable Object values,

            @Size(min = 1, max = AxisRequest.MOST_VALUES) @Nullable
            List<@NotNull Map<String, @Nullable Object>> merge) {
        /// Maximum number of values of one axis.
        static final int MOST_VALUES = 10_000;
    }
}
