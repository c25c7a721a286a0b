package io.throughputoptimizer.web.problem;

import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Problem.RetryAfter;
import io.throughputoptimizer.api.problem.ProblemKind;
import io.throughputoptimizer.job.Submission;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.util.unit.DataSize;

/// A request that is well formed but cannot be served.
public final class ProblemException extends RuntimeException {
    private final transient Problem problem;
    private final transient HttpHeaders headers;

    private ProblemException(Problem problem, HttpHeaders headers) {
        super(problem.detail());
        this.problem = problem;
        this.headers = headers;
    }

    /// Returns the problem for an unknown id or name.
    public static ProblemException notFound(String detail) {
        HttpStatus status = HttpStatus.NOT_FOUND;
        return new ProblemException(Problem.plain(status.value(), status.getReasonPhrase(), detail), HttpHeaders.EMPTY);
    }

    /// Returns the problem for key management on a service without access control, which has no admins.
    public static ProblemException keysUnused() {
        return of(
                ProblemKind.KEYS_UNUSED,
                "Authentication is disabled, so keys cannot be created over HTTP. Use the command keys create.");
    }

    /// The job is another's, which only an admin may end.
    public static ProblemException notOwn() {
        return of(
                ProblemKind.NOT_OWN_JOB,
                "The optimization belongs to another caller. Only its owner or an admin can cancel, delete or"
                        + " share it.");
    }

    /// The job has the maximum number of links.
    public static ProblemException tooManyShares(int most) {
        return of(
                ProblemKind.TOO_MANY_SHARES,
                "The optimization has %d links, the maximum. Revoke one first.".formatted(most));
    }

    /// The sweep is another's, which only an admin may end.
    public static ProblemException notOwnSweep() {
        return of(
                ProblemKind.NOT_OWN_JOB,
                "The sweep belongs to another caller. Only its owner or an admin can cancel or delete it.");
    }

    /// The measurements are another's, which only an admin may remove.
    public static ProblemException notOwnMeasurements() {
        return of(
                ProblemKind.NOT_OWN_MEASUREMENTS,
                "The measurements belong to another caller. Only their owner or an admin can delete them.");
    }

    /// The job or sweep is queued or running.
    public static ProblemException stillRunning(String what) {
        return of(ProblemKind.STILL_RUNNING, what + " is queued or running. Cancel it first with POST .../cancel.");
    }

    /// The job has no result, or not yet.
    public static ProblemException noResult(String detail) {
        return of(ProblemKind.NO_RESULT, detail);
    }

    /// The result has members of a later version.
    public static ProblemException newerResult(String detail) {
        return of(ProblemKind.NEWER_RESULT, detail);
    }

    /// A serving engine cannot run the row.
    public static ProblemException cannotLaunch(String detail) {
        return of(ProblemKind.CANNOT_LAUNCH, detail);
    }

    /// The idempotency key was used for another request.
    public static ProblemException keyReused() {
        return of(
                ProblemKind.IDEMPOTENCY_KEY_REUSED,
                "The Idempotency-Key was used before with another request. Use a new key.");
    }

    /// No more jobs of the caller can wait.
    public static ProblemException queueFull(Submission.QueueFull<?> queue, Duration retryAfter) {
        String detail =
                queue.own() == 0 ? "The queue is full. Retry after the time in Retry-After." : full("jobs", queue);
        return tooMany(ProblemKind.QUEUE_FULL, detail, retryAfter);
    }

    /// No more sweeps of the caller can wait.
    public static ProblemException sweepsFull(Submission.QueueFull<?> queue, Duration retryAfter) {
        return tooMany(ProblemKind.QUEUE_FULL, full("sweeps", queue), retryAfter);
    }

    private static String full(String what, Submission.QueueFull<?> queue) {
        return ("%s of at most %s %s are queued, and %s of them are yours, the maximum for one caller. Retry after the"
                        + " time in Retry-After, or cancel one.")
                .formatted(queue.waiting(), queue.most(), what, queue.own());
    }

    /// No more simulations can wait, or this one waited too long.
    public static ProblemException simulationsBusy(Duration retryAfter) {
        return tooMany(
                ProblemKind.SIMULATIONS_BUSY,
                "Too many simulations are waiting. Retry after the time in Retry-After.",
                retryAfter);
    }

    /// No more portfolios can wait, or this one waited too long.
    public static ProblemException portfoliosBusy(Duration retryAfter) {
        return tooMany(
                ProblemKind.PORTFOLIOS_BUSY,
                "Too many portfolios are waiting. Retry after the time in Retry-After.",
                retryAfter);
    }

    /// The instances of a portfolio are too many to search while a caller waits.
    ///
    /// @param why they are
    public static ProblemException portfolioTooLarge(String why) {
        return of(ProblemKind.PORTFOLIO_TOO_LARGE, why + " Reduce instance_sizes, devices or the layouts in search.");
    }

    /// The library that solves programs does not run on this machine.
    public static ProblemException noSolver() {
        return of(
                ProblemKind.NO_SOLVER,
                "The solver of portfolios does not run on this machine. Use Linux on x86-64 or arm64 with the"
                        + " GNU C library.");
    }

    /// No more searches with `store=false` can wait, or this one waited too long.
    public static ProblemException searchesBusy(Duration retryAfter) {
        return tooMany(
                ProblemKind.SEARCHES_BUSY,
                "Too many searches with store=false are waiting. Retry after the time in Retry-After, or submit"
                        + " a job without store=false.",
                retryAfter);
    }

    /// The search is too large for a result that is not stored.
    ///
    /// @param why it is
    public static ProblemException tooLargeToAnswer(String why) {
        return of(ProblemKind.TOO_LARGE_TO_ANSWER, why + " Submit a job: send the same request without store=false.");
    }

    /// The caller has as many event streams open as one caller may.
    public static ProblemException tooManyStreams(Duration retryAfter) {
        return tooMany(
                ProblemKind.TOO_MANY_STREAMS,
                "The caller has the maximum number of event streams open. Close one, or retry after the time"
                        + " in Retry-After.",
                retryAfter);
    }

    /// The bytes of all request bodies in flight exceed their bound.
    public static ProblemException bodiesBusy(Duration retryAfter) {
        return new ProblemException(
                Problem.of(
                        ProblemKind.BODIES_BUSY,
                        "Too many request bodies in progress. Retry after the time in Retry-After."),
                retryAfter(retryAfter));
    }

    /// No more traces can be read.
    public static ProblemException tracesBusy(Duration retryAfter) {
        return tooMany(
                ProblemKind.TRACES_BUSY,
                "Too many traces are being read. Retry after the time in Retry-After.",
                retryAfter);
    }

    /// The caller exceeds its rate limit.
    public static ProblemException rateLimited(Duration retryAfter) {
        return new ProblemException(Problem.rateLimited(), retryAfter(retryAfter));
    }

    /// Returns the problem for a page of another site that the settings do not allow.
    public static ProblemException foreignOrigin() {
        HttpStatus status = HttpStatus.FORBIDDEN;
        return new ProblemException(
                Problem.plain(
                        status.value(),
                        status.getReasonPhrase(),
                        "Pages of this origin cannot call the service. Add it to optimizer.http.allowed-origins."),
                HttpHeaders.EMPTY);
    }

    /// Returns the problem for a caller without the role of a tool.
    public static ProblemException roleNeeded(String tool, String caller, String role) {
        return of(
                ProblemKind.ROLE_NEEDED,
                "Tool %s requires the role %s, which %s does not have.".formatted(tool, role, caller));
    }

    private static ProblemException of(ProblemKind kind, String detail) {
        return new ProblemException(Problem.of(kind, detail), HttpHeaders.EMPTY);
    }

    private static ProblemException tooMany(ProblemKind kind, String detail, Duration retryAfter) {
        return new ProblemException(Problem.of(kind, detail), retryAfter(retryAfter));
    }

    private static HttpHeaders retryAfter(Duration wait) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, RetryAfter.seconds(wait));
        return headers;
    }

    /// The body is compressed.
    public static ProblemException unsupportedEncoding(String encoding, String taken) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.ACCEPT_ENCODING, taken);
        return new ProblemException(
                ProblemMessages.of(
                        HttpStatus.UNSUPPORTED_MEDIA_TYPE.value(),
                        "Content-Encoding " + encoding + " is not supported. Send the body uncompressed."),
                headers);
    }

    public Problem problem() {
        return problem;
    }

    public HttpHeaders headers() {
        return headers;
    }

    /// A request body is longer than the service takes.
    public static final class BodyTooLargeException extends RuntimeException {
        public BodyTooLargeException(DataSize longest) {
            super("The request body is longer than " + longest.toBytes() + " bytes.");
        }
    }
}
