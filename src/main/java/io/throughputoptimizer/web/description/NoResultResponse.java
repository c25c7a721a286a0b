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

/// Describes the answer to asking for the result of a job that has none.
@ApiResponse(
        responseCode = "409",
        description =
                "There is no result, or not yet; or a newer version of the service wrote it, and it is asked for in"
                        + " another format than JSON.",
        content =
                @Content(
                        mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                        schema = @Schema(implementation = Problem.class),
                        examples = @ExampleObject(ProblemExamples.NO_RESULT)))
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface NoResultResponse {}
