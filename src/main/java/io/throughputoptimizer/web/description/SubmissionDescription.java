package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.web.description.ProblemResponses.InvalidRequestResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.http.MediaType;

/// Describes how an optimization is submitted, and what comes back.
@Operation(
        operationId = "createOptimization",
        summary = "Submit an optimization",
        description =
                "Answers at once with a queued job, or, with `Prefer: wait`, as soon as the job is finished or the"
                        + " wait is over. A search that finds nothing feasible succeeds with empty rows and says why for every"
                        + " layout. With `Prefer: wait` the answer may be a report: `Accept: text/plain` gives tables,"
                        + " `Accept: text/csv` comma-separated values. With `store=false` and `Prefer: wait=5` a small search is"
                        + " answered and nothing is kept: the answer has neither `id` nor `Location`, but the commands that"
                        + " start its best row (`launch`); `Idempotency-Key` means nothing, and a search that is too large"
                        + " for it is refused.",
        requestBody =
                @RequestBody(
                        required = true,
                        content = {
                            @Content(
                                    mediaType = MediaType.APPLICATION_JSON_VALUE,
                                    schema = @Schema(implementation = OptimizationRequest.class)),
                            @Content(
                                    mediaType = MediaType.APPLICATION_YAML_VALUE,
                                    schema = @Schema(implementation = OptimizationRequest.class))
                        }))
@ApiResponse(
        responseCode = "200",
        description =
                "The finished job: a wait was asked for, and it was long enough. To a caller who accepts"
                        + " `text/plain` or `text/csv` a report of its result, as `GET /api/v1/optimizations/{id}/result` gives it.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = JobResponse.class)),
        headers = {
            @Header(
                    name = "Location",
                    description = "The job; absent where nothing is kept.",
                    schema = @Schema(type = "string")),
            @Header(
                    name = "Preference-Applied",
                    description = "The wait that was granted.",
                    schema = @Schema(type = "string"))
        })
@ApiResponse(
        responseCode = "202",
        description = "The job waits or runs. The job is JSON, whatever was asked for.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = JobResponse.class)),
        headers = @Header(name = "Location", description = "The job.", schema = @Schema(type = "string")))
@InvalidRequestResponse
@ApiResponse(
        responseCode = "409",
        description = "A report was requested, and the job failed.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = @ExampleObject(ProblemExamples.FAILED)))
@ApiResponse(
        responseCode = "422",
        description = "The idempotency key was used with another request, or the search is too large for an answer that"
                + " is not stored (`store=false`).",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = {
                            @ExampleObject(
                                    name = "key-reused",
                                    summary = "The key belongs to another request",
                                    value = ProblemExamples.KEY_REUSED),
                            @ExampleObject(
                                    name = "too-large",
                                    summary = "The search is too large",
                                    value = ProblemExamples.TOO_LARGE_TO_ANSWER)
                        }))
@ApiResponse(
        responseCode = "429",
        description = "No more jobs, or searches with `store=false`, of the caller can wait: callers share the"
                + " places.",
        headers =
                @Header(
                        name = "Retry-After",
                        description = "Seconds until there may be a place for this caller, going by recent jobs.",
                        schema = @Schema(type = "integer")),
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = @ExampleObject(ProblemExamples.QUEUE_FULL)))
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface SubmissionDescription {}
