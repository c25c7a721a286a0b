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

/// Describes the answer to an unknown id or name.
@ApiResponse(
        responseCode = "404",
        description = "Nothing of this name is known.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = {
                            @ExampleObject(name = "job", summary = "No such job", value = ProblemExamples.UNKNOWN_JOB),
                            @ExampleObject(
                                    name = "catalogue",
                                    summary = "No such entry of the catalogue",
                                    value = ProblemExamples.UNKNOWN_DEVICE)
                        }))
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface UnknownNameResponse {}
