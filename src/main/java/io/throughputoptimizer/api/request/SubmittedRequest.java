package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.WireFormat;

/// A request with the body that it was read from, which does not say what is filled in: defaults depend on each
/// other, so that a changed question is asked anew from the body alone.
///
/// @param json the body, as JSON
public record SubmittedRequest(OptimizationRequest request, String json) {
    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if the document is malformed or does not have
    ///     the request's members
    public static SubmittedRequest read(WireFormat.Syntax syntax, byte[] document) {
        return new SubmittedRequest(
                WireFormat.read(syntax, document, OptimizationRequest.class), WireFormat.json(syntax, document));
    }
}
