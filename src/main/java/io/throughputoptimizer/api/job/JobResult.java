package io.throughputoptimizer.api.job;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import io.throughputoptimizer.api.result.BriefResult;
import io.throughputoptimizer.api.result.ResultPart;
import java.util.Set;

/// The result of a job.
///
/// @param request the effective request as JSON, which is not sent
/// @param json the whole result as JSON
/// @param parts parts that are sent of those that are sent on request only
public record JobResult(String request, String json, Set<ResultPart> parts) {
    public JobResult {
        parts = Set.copyOf(parts);
    }

    /// Returns a result that is sent as a whole.
    public static JobResult whole(String request, String json) {
        return new JobResult(request, json, ResultPart.ALL);
    }

    /// Returns the JSON that is sent.
    @JsonValue
    @JsonRawValue
    public String sent() {
        return isWhole() ? json : BriefResult.of(json, parts);
    }

    /// Returns a copy that holds only the JSON that is sent.
    public JobResult made() {
        return isWhole() ? this : whole(request, sent());
    }

    JobResult with(Set<ResultPart> included) {
        return new JobResult(request, json, included);
    }

    private boolean isWhole() {
        return parts.containsAll(ResultPart.ALL);
    }
}
