package io.throughputoptimizer.web.problem;

import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Problem.RetryAfter;
import io.throughputoptimizer.job.Submission;
import io.throughputoptimizer.quota.CallerQuota;
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
                "keys-unused",
                HttpStatus.FORBIDDEN,
                "Keys unused",
                "This service asks nobody for a key, so nobody may make one over HTTP: the command keys does.");
    }

    /// The job is another's, which only an admin may end.
    public static ProblemException notOwn() {
        return of(
                "not-own-job",
                HttpStatus.FORBIDDEN,
                "Not your job",
                "The optimization is another caller's: only that caller or an admin may cancel, remove or share it.");
    }

    /// The job has the maximum number of links.
    public static ProblemException tooManyShares(int most) {
        return of(
                "too-many-shares",
                HttpStatus.CONFLICT,
                "Too many links",
                "The optimization has %d links: revoke one first.".formatted(most));
    }

    /// The sweep is another's, which only an admin may end.
    public static ProblemException notOwnSweep() {
        return of(
                "not-own-job",
                HttpStatus.FORBIDDEN,
                "Not your job",
                "The sweep is another caller's: only that caller or an admin may cancel or remove it.");
    }

    /// The measurements are another's, which only an admin may remove.
    public static ProblemException notOwnMeasurements() {
        return of(
                "not-own-measurements",
                HttpStatus.FORBIDDEN,
                "Not your measurements",
                "The measurements are another caller's: only that caller or an admin may remove them.");
    }

    /// The job has no result, or not yet.
    public static ProblemException noResult(String detail) {
        return of("no-result", HttpStatus.CONFLICT, "No result", detail);
    }

    /// The result has members of a later version.
    public static ProblemException newerResult(String detail) {
        return of("newer-result", HttpStatus.CONFLICT, "Newer result", detail);
    }

    /// A serving engine cannot run the row.
    public static ProblemException cannotLaunch(String detail) {
        return of("cannot-launch", HttpStatus.UNPROCESSABLE_CONTENT, "Cannot launch", detail);
    }

    /// The idempotency key was used for another request.
    public static ProblemException keyTaken() {
        return of(
                "idempotency-key-taken",
                HttpStatus.CONFLICT,
                "Idempotency key taken",
                "The Idempotency-Key was used before with another request.");
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
        return of(
                "portfolio-too-large",
                HttpStatus.UNPROCESSABLE_CONTENT,
                "Portfolio too large",
                why + " Fewer instance_sizes, devices or layouts in search would do.");
    }

    /// The library that solves programs does not run on this machine.
    public static ProblemException noSolver() {
        return of(
                "no-solver",
                HttpStatus.NOT_IMPLEMENTED,
                "No solver",
                "The solver of portfolios does not run on this machine: Linux on x86-64 or arm64 with the C library of GNU is"
                        + " needed.");
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
        return of(
                "too-large-to-answer",
                HttpStatus.UNPROCESSABLE_CONTENT,
                "Too large to answer at once",
                why + " Save it as a job: send the same request without keep=none.");
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

    private static ProblemException of(String kind, HttpStatus status, String title, String detail) {
        return new ProblemException(Problem.ofKind(kind, status.value(), title, detail), HttpHeaders.EMPTY);
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

    /// A request body is longer than the service takes.
    public static final class BodyTooLargeException extends RuntimeException {
        public BodyTooLargeException(DataSize longest) {
            super("The request body is longer than " + longest.toBytes() + " bytes.");
        }
    }
}
