package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.throughputoptimizer.api.problem.Problem;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.http.MediaType;

/// Describes why a search that is not stored has no row to start.
@ApiResponse(
        responseCode = "409",
        description = "The search failed; `detail` says why.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = @ExampleObject(ProblemExamples.FAILED)))
@ApiResponse(
        responseCode = "429",
        description = "No more searches whose answers are not kept can wait of the caller: callers share the places.",
        headers =
                @Header(
                        name = "Retry-After",
                        description = "Seconds until there may be a place for this caller, going by recent searches.",
                        schema = @Schema(type = "integer")),
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = @ExampleObject(ProblemExamples.SEARCHES_BUSY)))
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface UnkeptLaunchResponses {}
