package io.throughputoptimizer.api.job;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import io.throughputoptimizer.api.result.BriefResult;

/// The result of a job.
///
/// @param request the effective request as JSON, which is not sent
/// @param json the whole result as JSON
/// @param isBrief whether it is sent as a [BriefResult]
public record JobResult(String request, String json, boolean isBrief) {
    /// Returns the JSON that is sent.
    @JsonValue
    @JsonRawValue
    public String sent() {
        return isBrief ? BriefResult.of(json) : json;
    }

    /// Returns a copy that holds only the JSON that is sent.
    public JobResult made() {
        return isBrief ? new JobResult(request, sent(), false) : this;
    }

    JobResult brief() {
        return new JobResult(request, json, true);
    }
}
