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

/// Descriptions of the problems that operations answer.
public final class ProblemResponses {
    private ProblemResponses() {}

    /// Describes the answers to asking for commands of a row that there is not, or that no engine asked about can run.
    @ApiResponse(
            responseCode = "400",
            description = "A query parameter breaks a rule, or the result has no such row or device.",
            content = @Content(examples = @ExampleObject("INVALID_PARAMETER")))
    @ApiResponse(
            responseCode = "422",
            description = "The requested engine, or every engine, cannot run the row; `detail` has the reason.",
            content = @Content(examples = @ExampleObject("CANNOT_LAUNCH")))
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface CannotLaunchResponses {}

    /// Describes the answer to a request that breaks a rule.
    @ApiResponse(
            responseCode = "400",
            description = "Validation failed; see `errors`.",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                            schema = @Schema(implementation = Problem.class),
                            examples = {
                                @ExampleObject(
                                        name = "member",
                                        summary = "A field of the body breaks a rule",
                                        value = "INVALID"),
                                @ExampleObject(
                                        name = "parameter",
                                        summary = "A query parameter or header breaks a rule",
                                        value = "INVALID_PARAMETER")
                            }))
    @Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    public @interface InvalidRequestResponse {}

    /// Describes the answer to asking for the result of a job that has none.
    @ApiResponse(
            responseCode = "409",
            description = "The optimization has no result yet, or failed. Also if a newer version of the service"
                    + " wrote the result, and the format is not JSON.",
            content = @Content(examples = @ExampleObject("NO_RESULT")))
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface NoResultResponse {}

    /// Describes why a search that is not stored has no row to start.
    @ApiResponse(
            responseCode = "409",
            description = "The search failed; `detail` has the reason.",
            content = @Content(examples = @ExampleObject("FAILED")))
    @ApiResponse(
            responseCode = "429",
            description = "The caller's queue of searches that are not stored is full.",
            headers =
                    @Header(
                            name = "Retry-After",
                            description = "Seconds until the queue might have space, from recent searches."),
            content = @Content(examples = @ExampleObject("SEARCHES_BUSY")))
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface UnstoredLaunchResponses {}

    /// Describes the answer to an unknown id or name.
    @ApiResponse(
            responseCode = "404",
            description = "No resource has this name.",
            content =
                    @Content(
                            examples = {
                                @ExampleObject(name = "job", summary = "No such job", value = "UNKNOWN_JOB"),
                                @ExampleObject(
                                        name = "catalogue",
                                        summary = "No such entry of the catalog",
                                        value = "UNKNOWN_DEVICE")
                            }))
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface UnknownNameResponse {}
}
