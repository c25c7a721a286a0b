package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.throughputoptimizer.api.job.JobResponse;
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
        description = "Queues a job and returns it at once or, with `Prefer: wait`, when it is finished or the wait"
                + " ends. A search without a feasible plan succeeds with no rows; `rejected` lists"
                + " the constraint each layout violates. With `Prefer: wait`, `Accept: text/plain`"
                + " returns tables and `Accept: text/csv` CSV. With `store=false` and `Prefer:"
                + " wait=5`, a small search runs without a stored job. The response then has no"
                + " `id` and no `Location`, but the commands that start its best row (`launch`)."
                + " `Idempotency-Key` is ignored, and a search that is too large is rejected.")
@ApiResponse(
        responseCode = "200",
        description = "The finished job, within the wait. With `Accept: text/plain` or `text/csv`, a report of its"
                + " result, as `GET /api/v1/optimizations/{id}/result` returns it.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = JobResponse.class)),
        headers = {
            @Header(name = "Location", description = "The job. Absent with `store=false`."),
            @Header(name = "Preference-Applied", description = "The granted wait.")
        })
@ApiResponse(
        responseCode = "202",
        description = "The job is queued or running. Always JSON.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = JobResponse.class)),
        headers = @Header(name = "Location", description = "The job."))
@InvalidRequestResponse
@ApiResponse(
        responseCode = "409",
        description = "A report was requested, and the job failed.",
        content = @Content(examples = @ExampleObject("FAILED")))
@ApiResponse(
        responseCode = "422",
        description =
                "The idempotency key was used with another request, or the search is too large for" + " `store=false`.",
        content =
                @Content(
                        examples = {
                            @ExampleObject(
                                    name = "key-reused",
                                    summary = "The key belongs to another request",
                                    value = "KEY_REUSED"),
                            @ExampleObject(
                                    name = "too-large",
                                    summary = "The search is too large",
                                    value = "TOO_LARGE_TO_ANSWER")
                        }))
@ApiResponse(
        responseCode = "429",
        description = "The caller's queue of jobs, or of searches that are not stored, is full.",
        headers =
                @Header(
                        name = "Retry-After",
                        description = "Seconds until the queue might have space, from recent jobs."),
        content = @Content(examples = @ExampleObject("QUEUE_FULL")))
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface SubmissionDescription {}
