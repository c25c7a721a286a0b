package io.throughputoptimizer.api.imported;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.OptimizationRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Requests that another tool's file asks for.
@Schema(name = "Imported", description = "Requests that another tool's file asks for.")
public record ImportResponse(
        @Schema(description = "One entry for each experiment of the file.")
        List<ExperimentResponse> experiments) {

    /// One of them.
    @Schema(name = "ImportedExperiment", description = "What one experiment of the file asks for.")
    public record ExperimentResponse(
            @Schema(description = "Its name in the file.", example = "exp_agg")
            String name,

            @Schema(
                    description = "The body for `POST /api/v1/optimizations`.",
                    implementation = OptimizationRequest.class)
            Map<String, Object> request,

            @Schema(description = "What the file does not say and the request has, in words.")
            List<String> assumed,

            @Schema(description = "Members of the file without a counterpart in the request.")
            List<LeftOutResponse> leftOut,

            @Schema(description = "Why the request would be refused as it is; absent where it is not.") @Nullable
            List<RefusedResponse> refused) {

        /// @param refused why the request would be; empty where it is not
        public static ExperimentResponse of(ImportedRequest read, List<Violation> refused) {
            return new ExperimentResponse(
                    read.name(),
                    read.request(),
                    read.assumed(),
                    read.leftOut().entrySet().stream()
                            .map(member -> new LeftOutResponse(member.getKey(), member.getValue()))
                            .toList(),
                    refused.isEmpty()
                            ? null
                            : refused.stream()
                                    .map(rule -> new RefusedResponse(rule.pointer(), rule.message()))
                                    .toList());
        }
    }

    /// A member without a counterpart.
    @Schema(name = "LeftOutMember", description = "A member of a file without a counterpart in the request.")
    public record LeftOutResponse(
            @Schema(description = "Its name.", example = "prefill_latency_correction")
            String member,

            @Schema(description = "Why.", example = "figures are not corrected by a factor here: they have bands")
            String reason) {}

    /// A rule that a request breaks.
    @Schema(name = "RefusedMember", description = "A rule that the request breaks.")
    public record RefusedResponse(
            @Schema(description = "Member that breaks it, as a JSON pointer.", example = "/devices/0")
            String pointer,

            @Schema(description = "The value and the rule.", example = "is GB10: no such device")
            String message) {}
}
