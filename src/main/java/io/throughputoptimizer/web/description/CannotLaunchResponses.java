package io.throughputoptimizer.web.description;

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

/// Describes the answers to asking for commands of a row that there is not, or that no engine asked about can run.
@ApiResponse(
        responseCode = "400",
        description = "A query parameter breaks a rule, or the result has no such row or device.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = @ExampleObject(ProblemExamples.INVALID_PARAMETER)))
@ApiResponse(
        responseCode = "422",
        description = "The engine that is asked for, or every engine, cannot run the row; `detail` says why.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = @ExampleObject(ProblemExamples.CANNOT_LAUNCH)))
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface CannotLaunchResponses {}
