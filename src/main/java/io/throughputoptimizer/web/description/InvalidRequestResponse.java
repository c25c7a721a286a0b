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

/// Describes the answer to a request that breaks a rule.
@ApiResponse(
        responseCode = "400",
        description = "The request breaks a rule; each is listed with its place.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = {
                            @ExampleObject(
                                    name = "member",
                                    summary = "A member of the body breaks a rule",
                                    value = ProblemExamples.INVALID),
                            @ExampleObject(
                                    name = "parameter",
                                    summary = "A query parameter or header breaks a rule",
                                    value = ProblemExamples.INVALID_PARAMETER)
                        }))
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface InvalidRequestResponse {}
