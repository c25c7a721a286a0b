package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.WireFormat;
import java.util.Set;

/// A request with its body, which does not say what is filled in: defaults depend on each other, so that a changed
/// request is made from the body alone.
///
/// @param json the body as JSON
/// @param given pointers of the fields that the body sets, to the second level
public record SubmittedRequest(OptimizationRequest request, String json, Set<String> given) {
    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if the document is malformed or does not have
    ///     the request's members
    public static SubmittedRequest read(WireFormat.Syntax syntax, byte[] document) {
        WireFormat.Parsed<OptimizationRequest> parsed = WireFormat.parse(syntax, document, OptimizationRequest.class);
        return new SubmittedRequest(parsed.value(), parsed.json(), parsed.given());
    }
}
