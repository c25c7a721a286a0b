package io.throughputoptimizer.web.problem;

import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.RetryAfter;
import io.throughputoptimizer.job.Submission;
import io.throughputoptimizer.quota.CallerQuota;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

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
        return new ProblemException(
                Problem.ofKind(
                        "keys-unused",
                        HttpStatus.FORBIDDEN.value(),
                        "Keys unused",
                        "This service asks nobody for a key, so nobody may make one over HTTP: the command keys does."),
                HttpHeaders.EMPTY);
    }

    /// The job is another's, which only an admin may end.
    public static ProblemException notOwn() {
        return new ProblemException(
                Problem.ofKind(
                        "not-own-job",
                        HttpStatus.FORBIDDEN.value(),
                        "Not your job",
                        "The optimization is another caller's: only that caller or an admin may cancel, remove or share it."),
                HttpHeaders.EMPTY);
    }

    /// The job has the maximum number of links.
    public static ProblemException tooManyShares(int most) {
        return new ProblemException(
                Problem.ofKind(
                        "too-many-shares",
                        HttpStatus.CONFLICT.value(),
                        "Too many links",
                        "The optimization has %d links: revoke one first.".formatted(most)),
                HttpHeaders.EMPTY);
    }

    /// The sweep is another's, which only an admin may end.
    public static ProblemException notOwnSweep() {
        return new ProblemException(
                Problem.ofKind(
                        "not-own-job",
                        HttpStatus.FORBIDDEN.value(),
                        "Not your job",
                        "The sweep is another caller's: only that caller or an admin may cancel or remove it."),
                HttpHeaders.EMPTY);
    }

    /// The measurements are another's, which only an admin may remove.
    public static ProblemException notOwnMeasurements() {
        return new ProblemException(
                Problem.ofKind(
                        "not-own-measurements",
                        HttpStatus.FORBIDDEN.value(),
                        "Not your measurements",
                        "The measurements are another caller's: only that caller or an admin may remove them."),
                HttpHeaders.EMPTY);
    }

    /// The job has no result, or not yet.
    public static ProblemException noResult(String detail) {
        return new ProblemException(
                Problem.ofKind("no-result", HttpStatus.CONFLICT.value(), "No result", detail), HttpHeaders.EMPTY);
    }

    /// The result has members of a later version.
    public static ProblemException newerResult(String detail) {
        return new ProblemException(
                Problem.ofKind("newer-result", HttpStatus.CONFLICT.value(), "Newer result", detail), HttpHeaders.EMPTY);
    }

    /// A serving engine cannot run the row.
    public static ProblemException cannotLaunch(String detail) {
        return new ProblemException(
                Problem.ofKind("cannot-launch", HttpStatus.UNPROCESSABLE_CONTENT.value(), "Cannot launch", detail),
                HttpHeaders.EMPTY);
    }

    /// The idempotency key was used for another request.
    public static ProblemException keyTaken() {
        return new ProblemException(
                Problem.ofKind(
                        "idempotency-key-taken",
                        HttpStatus.CONFLICT.value(),
                        "Idempotency key taken",
                        "The Idempotency-Key was used before with another request."),
                HttpHeaders.EMPTY);
    }

    /// No more jobs of the caller can wait.
    public static ProblemException queueFull(Submission.QueueFull<?> queue, Duration retryAfter) {
        String detail = queue.own() == 0
                ? "No more optimizations can wait; try again later."
                : ("Of the %s optimizations that may wait %s do, and %s of them are this caller's, who may have at most"
                                + " %s times as many as there are places left; try again later.")
                        .formatted(queue.most(), queue.waiting(), queue.own(), CallerQuota.FACTOR);
        return tooMany("queue-full", "Queue full", detail, retryAfter);
    }

    /// No more sweeps of the caller can wait.
    public static ProblemException sweepsFull(Submission.QueueFull<?> queue, Duration retryAfter) {
        return tooMany(
                "queue-full",
                "Queue full",
                ("Of the %s sweeps that may wait and run %s do, and %s of them are this caller's, who may have at most %s"
                                + " times as many as there are places left; try again later.")
                        .formatted(queue.most(), queue.waiting(), queue.own(), CallerQuota.FACTOR),
                retryAfter);
    }

    /// No more simulations can wait, or this one waited too long.
    public static ProblemException simulationsBusy(Duration retryAfter) {
        return tooMany(
                "simulations-busy",
                "Simulations busy",
                "Too many simulations wait, of this caller or of all; try again later.",
                retryAfter);
    }

    /// No more portfolios can wait, or this one waited too long.
    public static ProblemException portfoliosBusy(Duration retryAfter) {
        return tooMany(
                "portfolios-busy",
                "Portfolios busy",
                "Too many portfolios wait, of this caller or of all; try again later.",
                retryAfter);
    }

    /// The instances of a portfolio are too many to search while a caller waits.
    ///
    /// @param why they are
    public static ProblemException portfolioTooLarge(String why) {
        return new ProblemException(
                Problem.ofKind(
                        "portfolio-too-large",
                        HttpStatus.UNPROCESSABLE_CONTENT.value(),
                        "Portfolio too large",
                        why + " Fewer instance_sizes, devices or layouts in search would do."),
                HttpHeaders.EMPTY);
    }

    /// The library that solves programs does not run on this machine.
    public static ProblemException noSolver() {
        return new ProblemException(
                Problem.ofKind(
                        "no-solver",
                        HttpStatus.NOT_IMPLEMENTED.value(),
                        "No solver",
                        "The solver of portfolios does not run on this machine: Linux on x86-64 or arm64 with the C library of GNU is"
                                + " needed."),
                HttpHeaders.EMPTY);
    }

    /// No more searches whose answers are not kept can wait, or this one waited too long.
    public static ProblemException searchesBusy(Duration retryAfter) {
        return tooMany(
                "searches-busy",
                "Searches busy",
                "Too many searches wait whose answers are not kept, of this caller or of all; try again later, or leave"
                        + " out keep=none: a job waits in the queue.",
                retryAfter);
    }

    /// The search is too large for an answer that is not kept.
    ///
    /// @param why it is
    public static ProblemException tooLargeToAnswer(String why) {
        return new ProblemException(
                Problem.ofKind(
                        "too-large-to-answer",
                        HttpStatus.UNPROCESSABLE_CONTENT.value(),
                        "Too large to answer at once",
                        why + " Save it as a job: send the same request without keep=none."),
                HttpHeaders.EMPTY);
    }

    /// The caller has as many event streams open as one caller may.
    public static ProblemException tooManyStreams(Duration retryAfter) {
        return tooMany(
                "too-many-streams",
                "Too many streams",
                "This caller has as many event streams open as one caller may; a stream whose reader is gone counts"
                        + " until that is noticed.",
                retryAfter);
    }

    /// The bytes of all request bodies in flight exceed their bound.
    public static ProblemException bodiesBusy(Duration retryAfter) {
        return new ProblemException(
                Problem.ofKind(
                        "bodies-busy",
                        HttpStatus.SERVICE_UNAVAILABLE.value(),
                        "Bodies busy",
                        "The request bodies in flight take all the memory that the service has for them. Retry later."),
                retryAfter(retryAfter));
    }

    /// No more traces can be read.
    public static ProblemException tracesBusy(Duration retryAfter) {
        return tooMany(
                "traces-busy",
                "Traces busy",
                "Too many traces are read, of this caller or of all; try again later.",
                retryAfter);
    }

    private static ProblemException tooMany(String kind, String title, String detail, Duration retryAfter) {
        return new ProblemException(
                Problem.ofKind(kind, HttpStatus.TOO_MANY_REQUESTS.value(), title, detail), retryAfter(retryAfter));
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
                        "Content-Encoding " + encoding + " is not taken: send the body as it is."),
                headers);
    }

    public Problem problem() {
        return problem;
    }

    public HttpHeaders headers() {
        return headers;
    }
}
