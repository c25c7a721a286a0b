package io.throughputoptimizer.web;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Problem.RetryAfter;
import io.throughputoptimizer.api.problem.ProblemKind;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.catalog.ModelSourceException;
import io.throughputoptimizer.job.DatabaseFailure;
import io.throughputoptimizer.job.JobProblems;
import io.throughputoptimizer.job.StoredTextException;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import io.throughputoptimizer.web.problem.ProblemException;
import io.throughputoptimizer.web.problem.ProblemException.BodyTooLargeException;
import io.throughputoptimizer.web.problem.ProblemMessages;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/// Turns every failure into a [Problem], as `application/problem+json`.
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

    private final HttpLimits limits;

    ProblemAdvice(HttpLimits limits) {
        this.limits = limits;
    }

    @ExceptionHandler
    ResponseEntity<Problem> invalid(InvalidRequestException failure) {
        return answer(Problem.invalidBody(failure.violations()), HttpHeaders.EMPTY);
    }

    @ExceptionHandler
    ResponseEntity<Problem> invalid(InvalidParameterException failure) {
        return answer(Problem.invalidParameters(failure.rules()), HttpHeaders.EMPTY);
    }

    @ExceptionHandler
    ResponseEntity<Problem> tooLarge(BodyTooLargeException failure) {
        return answer(
                Problem.of(ProblemKind.BODY_TOO_LARGE, Objects.toString(failure.getMessage())), HttpHeaders.EMPTY);
    }

    @ExceptionHandler
    ResponseEntity<Problem> refused(ProblemException failure) {
        return answer(failure.problem(), failure.headers());
    }

    @ExceptionHandler
    ResponseEntity<Problem> unavailable(ModelSourceException failure) {
        return unavailable(
                ProblemKind.HUB_UNAVAILABLE,
                "The catalog has no such model, and " + failure.reason() + ". Retry later, or send model_config.");
    }

    /// One row of the database; the others can be had.
    @ExceptionHandler
    ResponseEntity<Problem> unreadable(StoredTextException failure, WebRequest request) {
        log.error("{} cannot be read from the database", request.getDescription(false), failure);
        return answer(JobProblems.unreadable(failure), HttpHeaders.EMPTY);
    }

    /// Returns the response to a failure that a handler has caught.
    ResponseEntity<Problem> answer(RuntimeException failure, WebRequest request) {
        return switch (failure) {
            case InvalidRequestException invalid -> invalid(invalid);
            case InvalidParameterException invalid -> invalid(invalid);
            case ProblemException refused -> refused(refused);
            case ModelSourceException unavailable -> unavailable(unavailable);
            default -> DatabaseFailure.isIn(failure) ? withoutDatabase(failure, request) : failed(failure, request);
        };
    }

    /// Answers unexpected failures.
    @ExceptionHandler
    @Nullable
    ResponseEntity<Problem> unforeseen(Exception failure, WebRequest request) {
        if (DatabaseFailure.causes(failure).anyMatch(ClientAbortException.class::isInstance)) {
            // There is nobody to answer, and nothing to mend.
            log.debug("the caller of {} broke off", request.getDescription(false), failure);
            return null;
        }
        return DatabaseFailure.isIn(failure) ? withoutDatabase(failure, request) : failed(failure, request);
    }

    /// Answers that the database is unavailable. No data is lost: stored jobs remain, other requests can be
    /// resubmitted.
    private ResponseEntity<Problem> withoutDatabase(Exception failure, WebRequest request) {
        log.warn(
                "{} got no answer from the database: {}",
                request.getDescription(false),
                NestedExceptionUtils.getMostSpecificCause(failure).toString());
        return unavailable(
                ProblemKind.DATABASE_UNAVAILABLE,
                "The service cannot reach its database. Retry later, with the same Idempotency-Key.");
    }

    /// The answer would not fit in memory beside what else the service does at this moment.
    private ResponseEntity<Problem> withoutMemory() {
        return unavailable(
                ProblemKind.OUT_OF_MEMORY, "The service ran out of memory. Retry later, when fewer searches run.");
    }

    private ResponseEntity<Problem> unavailable(ProblemKind kind, String detail) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, RetryAfter.seconds(limits.retryAfter()));
        return answer(Problem.of(kind, detail), headers);
    }

    /// The log has the details, the caller does not. Errors of the virtual machine come as causes.
    private ResponseEntity<Problem> failed(Exception failure, WebRequest request) {
        log.error("{} failed", request.getDescription(false), failure);
        if (failure.getCause() instanceof OutOfMemoryError) {
            return withoutMemory();
        }
        return answer(
                Problem.plain(
                        HttpStatus.INTERNAL_SERVER_ERROR.value(),
                        HttpStatus.INTERNAL_SERVER_ERROR.getReasonPhrase(),
                        "The request failed because of an error in the service."),
                HttpHeaders.EMPTY);
    }

    @Override
    protected ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException failure, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Problem problem = Problem.invalidBody(List.of(new Violation("", "is missing or cannot be read")));
        return new ResponseEntity<>(problem, withType(headers), status);
    }

    /// Every failure that Spring knows comes through here.
    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
            Exception failure, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return new ResponseEntity<>(problem(failure, status.value()), withType(headers), status);
    }

    private static Problem problem(Exception failure, int status) {
        return switch (failure) {
            case HttpRequestMethodNotSupportedException method ->
                ProblemMessages.of(
                        status,
                        method.getMethod() + " is not supported at this path. Use a method of the Allow header.");
            case HttpMediaTypeNotSupportedException type ->
                ProblemMessages.of(
                        status,
                        (type.getContentType() == null
                                        ? "Content-Type is missing or malformed"
                                        : "Content-Type " + type.getContentType() + " is not supported")
                                + "; allowed: " + names(type.getSupportedMediaTypes()) + ".");
            case HttpMediaTypeNotAcceptableException accept
            when accept.getSupportedMediaTypes().isEmpty() ->
                ProblemMessages.of(status, "The Accept header is malformed.");
            case HttpMediaTypeNotAcceptableException accept ->
                ProblemMessages.of(
                        status, "Acceptable representations: [" + names(accept.getSupportedMediaTypes()) + "].");
            case NoResourceFoundException nothing ->
                ProblemMessages.of(status, "There is nothing at /" + nothing.getResourcePath() + ".");
            default -> ProblemMessages.of(status);
        };
    }

    private static String names(List<MediaType> types) {
        return types.stream().map(MediaType::toString).collect(Collectors.joining(", "));
    }

    private static ResponseEntity<Problem> answer(Problem problem, HttpHeaders headers) {
        return new ResponseEntity<>(problem, withType(headers), HttpStatusCode.valueOf(problem.status()));
    }

    private static HttpHeaders withType(HttpHeaders headers) {
        HttpHeaders typed = new HttpHeaders(headers);
        typed.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return typed;
    }
}
