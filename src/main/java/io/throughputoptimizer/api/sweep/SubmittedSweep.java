package io.throughputoptimizer.api.sweep;

import io.throughputoptimizer.api.WireFormat;
import java.nio.charset.StandardCharsets;

/// A sweep as it was asked.
///
/// @param json the body, as JSON, from which its cells are made wherever they run
public record SubmittedSweep(SweepRequest request, String json) {
    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if the document is malformed or does not have
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
