package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.job.OptimizationJob;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// Names and stars of optimizations, for their owners and admins.
@RestController
class OptimizationLabelController {
    static final String MERGE_PATCH = "application/merge-patch+json";

    private final JobStore store;
    private final JobRunner runner;
    private final RequestValidator validator;

    OptimizationLabelController(JobStore store, JobRunner runner, RequestValidator validator) {
        this.store = store;
        this.runner = runner;
        this.validator = validator;
    }

    @PatchMapping(
            path = "/api/v1/optimizations/{id}",
            consumes = {
                OptimizationLabelController.MERGE_PATCH,
                MediaType.APPLICATION_JSON_VALUE,
                MediaType.APPLICATION_YAML_VALUE
            },
            produces = MediaType.APPLICATION_JSON_VALUE)
    JobResponse label(@PathVariable String id, @RequestBody LabelRequest request) {
        OptimizationJob job = JobLookup.findToEnd(store, id);
        validator.check(request);
        store.label(job.id(), request.name(), request.starred());
        return runner.describe(JobLookup.findWithoutResult(store, id));
    }

    /// A new name and star of a job. Absent fields stay unchanged.
    @Schema(name = "LabelRequest", description = "Name and star of an optimization. Absent fields stay unchanged.")
    public record LabelRequest(
            @Schema(
                    description = "Name without surrounding blanks. An empty string removes the name.",
                    example = "chat, 2027")
            @Size(max = LabelRequest.LONGEST_NAME, message = "{request.name.length}")
            @Pattern(regexp = LabelRequest.WRITTEN, message = "{request.label}")
            @Nullable
            String name,

            @Schema(
                    description = "True for a star. Starred optimizations are not deleted because of their age, and"
                            + " only after the caller's others because of their number.",
                    example = "true")
            @Nullable
            Boolean starred) {
        static final int LONGEST_NAME = 200;

        /// Without what moves a cursor or the direction of reading, and line ends.
        static final String WRITTEN =
                "^[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]*$";

        public LabelRequest {
            name = name == null ? null : name.strip();
        }

        /// Returns the label with the null fields of a merge patch cleared.
        ///
        /// @param patch body of the request
        LabelRequest withoutNulls(Map<?, ?> patch) {
            return new LabelRequest(
                    name == null && patch.containsKey("name") ? "" : name,
                    (starred == null && patch.containsKey("starred")) ? Boolean.FALSE : starred);
        }
    }
}
