package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.WireFormat;
import java.util.Set;

/// An estimate request with the fields that its body sets.
///
/// @param given pointers of the fields that the body sets, to the second level
public record SubmittedEstimate(EstimateRequest request, Set<String> given) {
    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if the document is malformed or does not have
    ///     the request's members
    public static SubmittedEstimate read(WireFormat.Syntax syntax, byte[] document) {
        WireFormat.Parsed<EstimateRequest> parsed = WireFormat.parse(syntax, document, EstimateRequest.class);
        return new SubmittedEstimate(parsed.value(), parsed.given());
    }
}
