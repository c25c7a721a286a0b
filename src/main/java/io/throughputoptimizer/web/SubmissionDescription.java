package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.throughputoptimizer.api.OptimizationRequest;
import io.throughputoptimizer.api.Problem;
import io.throughputoptimizer.job.JobResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.http.MediaType;

/// Describes how an optimization is submitted, and what comes back.
@Operation(
        operationId = "submitOptimization",
        summary = "Submit an optimization",
        description =
                "Answers at once with a queued job, or, with `Prefer: wait`, as soon as the job is finished or the"
                        + " wait is over. A search that finds nothing feasible succeeds with empty rows and says why for every"
                        + " layout. With `Prefer: wait` the answer may be a report: `Accept: text/plain` gives tables,"
                        + " `Accept: text/csv` comma-separated values.",
        requestBody =
                @RequestBody(
                        required = true,
                        content = {
                            @Content(
                                    mediaType = MediaType.APPLICATION_JSON_VALUE,
                                    schema = @Schema(implementation = OptimizationRequest.class),
                                    examples = {
                                        @ExampleObject(
                                                name = "mixed-prefill",
                                                summary = "Prefill of mixed lengths on 8 devices",
                                                value = Examples.MIXED_PREFILL),
                                        @ExampleObject(
                                                name = "decode",
                                                summary = "Decode with an INT8 KV cache on 4 devices",
                                                value = Examples.DECODE)
                                    }),
                            @Content(
                                    mediaType = MediaType.APPLICATION_YAML_VALUE,
                                    schema = @Schema(implementation = OptimizationRequest.class),
                                    examples =
                                            @ExampleObject(
                                                    name = "own-distribution",
                                                    summary = "Prefill with a length distribution of one's own",
                                                    value = Examples.PREFILL_YAML))
                        }))
@ApiResponse(
        responseCode = "200",
        description = "The finished job, or a report of its result: a wait was asked for, and it was long enough.",
        content = {
            @Content(
                    mediaType = MediaType.APPLICATION_JSON_VALUE,
                    schema = @Schema(implementation = JobResponse.class)),
            @Content(mediaType = MediaType.TEXT_PLAIN_VALUE, schema = @Schema(type = "string")),
            @Content(mediaType = ReportMessageConverter.CSV_VALUE, schema = @Schema(type = "string"))
        },
        headers = {
            @Header(name = "Location", description = "The job.", schema = @Schema(type = "string")),
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
        description =
                "The idempotency key was used with another request, or a report was asked for and the job failed.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class)))
@ApiResponse(
        responseCode = "429",
        description = "No more jobs can wait.",
        headers =
                @Header(
                        name = "Retry-After",
                        description = "Seconds to wait before trying again.",
                        schema = @Schema(type = "integer")),
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = @ExampleObject(Examples.QUEUE_FULL)))
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface SubmissionDescription {}
