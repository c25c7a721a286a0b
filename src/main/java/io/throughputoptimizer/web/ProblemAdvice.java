package io.throughputoptimizer.web;

import io.throughputoptimizer.api.InvalidRequestException;
import io.throughputoptimizer.api.Problem;
import io.throughputoptimizer.api.Violation;
import io.throughputoptimizer.job.DatabaseFailure;
import java.util.List;
import java.util.Objects;
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
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

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
        return answer(Problem.invalidParameter(failure.parameter(), failure.rule()), HttpHeaders.EMPTY);
    }

    @ExceptionHandler
    ResponseEntity<Problem> tooLarge(BodyTooLargeException failure) {
        return answer(
                Problem.ofKind(
                        "body-too-large",
                        HttpStatus.CONTENT_TOO_LARGE.value(),
                        "Request body too large",
                        Objects.toString(failure.getMessage())),
                HttpHeaders.EMPTY);
    }

    @ExceptionHandler
    ResponseEntity<Problem> refused(ProblemException failure) {
        return answer(failure.problem(), failure.headers());
    }

    /// What nobody foresaw.
    @ExceptionHandler
    ResponseEntity<Problem> unforeseen(Exception failure, WebRequest request) {
        return DatabaseFailure.isIn(failure) ? withoutDatabase(failure, request) : failed(failure, request);
    }

    /// Nothing is lost: what was answered before is in the database, and what was not can be sent again.
    private ResponseEntity<Problem> withoutDatabase(Exception failure, WebRequest request) {
        log.warn(
                "{} got no answer from the database: {}",
                request.getDescription(false),
                NestedExceptionUtils.getMostSpecificCause(failure).toString());
        return unavailable(
                "database-unavailable",
                "Database unavailable",
                "The service cannot reach its database; try again later, a submission with the same"
                        + " Idempotency-Key.");
    }

    /// The answer would not fit in memory beside what else the service does at this moment.
    private ResponseEntity<Problem> withoutMemory() {
        return unavailable(
                "out-of-memory",
                "Out of memory",
                "The service ran out of memory; try again later, when it does less.");
    }

    private ResponseEntity<Problem> unavailable(String kind, String title, String detail) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, Long.toString(limits.retryAfter().toSeconds()));
        return answer(Problem.ofKind(kind, HttpStatus.SERVICE_UNAVAILABLE.value(), title, detail), headers);
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

    /// Every failure that Spring knows comes through here, with a detail of its own.
    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
            Exception failure, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Problem problem = Problem.plain(status.value(), title(status), detail(failure, status));
        return new ResponseEntity<>(problem, withType(headers), status);
    }

    private static String title(HttpStatusCode status) {
        HttpStatus known = HttpStatus.resolve(status.value());
        return known == null ? "Error" : known.getReasonPhrase();
    }

    private static String detail(Exception failure, HttpStatusCode status) {
        String detail = failure instanceof ErrorResponse known ? known.getBody().getDetail() : null;
        return detail == null ? title(status) : detail;
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
