package io.throughputoptimizer.api.problem;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The kinds of problems, each with a page of its own.
public enum ProblemKind {
    BODIES_BUSY(
            503,
            "Bodies busy",
            "The request bodies in flight take all the memory that the service has for them.",
            "Retry after the time in Retry-After."),
    BODY_TOO_LARGE(
            413,
            "Request body too large",
            "The request body exceeds optimizer.http.maximum-body.",
            "Send a smaller body, or raise the setting."),
    CALLERS_UNKNOWN(
            503,
            "Callers unknown",
            "The service cannot reach its database or the token issuer to verify a key or token.",
            "Retry after the time in Retry-After."),
    CANNOT_LAUNCH(
            422,
            "Cannot launch",
            "The engine cannot run the plan; detail gives the reason.",
            "Choose another engine or another plan."),
    DATABASE_UNAVAILABLE(
            503,
            "Database unavailable",
            "The service cannot reach its database. Stored jobs are not lost.",
            "Retry after the time in Retry-After, with the same Idempotency-Key."),
    HUB_UNAVAILABLE(
            503,
            "Hub unavailable",
            "The catalog lacks the model, and the model hub does not answer.",
            "Retry later, or send the configuration in model_config."),
    IDEMPOTENCY_KEY_REUSED(
            422,
            "Idempotency key reused",
            "The Idempotency-Key was used before with another request.",
            "Use a new key for a new request."),
    INTERRUPTED(
            503,
            "Interrupted too often",
            "The service was interrupted several times while it ran the search.",
            "Submit the request again once the service is stable."),
    INVALID_KEY(401, "Invalid key", "The key or token is invalid, expired or revoked.", "Send a valid key or token."),
    INVALID_REQUEST(
            400,
            "Invalid request",
            "A field, query parameter or header breaks a rule; errors lists each one.",
            "Correct the fields in errors and send the request again."),
    KEY_NEEDED(
            401,
            "Key needed",
            "The request has no key or token.",
            "Send the header Authorization: Bearer KEY. An admin creates keys."),
    KEYS_UNUSED(
            403,
            "Keys unused",
            "Authentication is disabled, so keys cannot be created over HTTP.",
            "Use the command keys create."),
    MEMORY_BUDGET(
            413,
            "Too much to keep",
            "The search or its result exceeds the memory that one search has.",
            "Narrow the search, or raise optimizer.jobs.maximum-memory."),
    NEWER_RESULT(
            409,
            "Newer result",
            "A newer version of the service wrote the result, so this version renders it as JSON only.",
            "Request application/json, or upgrade the service."),
    NO_RESULT(
            409,
            "No result",
            "The job is queued, running, failed or cancelled and has no result.",
            "Wait until the job has succeeded."),
    NO_SOLVER(
            501,
            "No solver",
            "The solver of portfolios does not run on this machine.",
            "Run the service on Linux with the GNU C library, on x86-64 or arm64."),
    NOT_OWN_JOB(
            403,
            "Not your job",
            "The job or sweep belongs to another caller.",
            "Use the key of its owner or of an admin."),
    NOT_OWN_MEASUREMENTS(
            403,
            "Not your measurements",
            "The measurements belong to another caller.",
            "Use the key of their owner or of an admin."),
    OUT_OF_MEMORY(
            503,
            "Out of memory",
            "The service ran out of memory.",
            "Retry later, when fewer searches run, or raise the heap."),
    PORTFOLIO_TOO_LARGE(
            422,
            "Portfolio too large",
            "The searches of the portfolio exceed the time limit.",
            "Reduce instance_sizes, devices or the layouts in search."),
    PORTFOLIOS_BUSY(
            429,
            "Portfolios busy",
            "Too many portfolios are waiting, in all or of this caller.",
            "Retry after the time in Retry-After."),
    QUEUE_FULL(
            429,
            "Queue full",
            "Too many jobs or sweeps are queued, in all or of this caller.",
            "Retry after the time in Retry-After, or cancel a job."),
    RATE_LIMITED(
            429,
            "Rate limited",
            "The caller sends more requests per minute than the service allows.",
            "Retry after the time in Retry-After."),
    ROLE_NEEDED(403, "Role needed", "The key or token lacks the role.", "Use a key or token with the role in detail."),
    SEARCHES_BUSY(
            429,
            "Searches busy",
            "Too many searches without a job are waiting, in all or of this caller.",
            "Retry after the time in Retry-After, or submit a job."),
    SIMULATIONS_BUSY(
            429,
            "Simulations busy",
            "Too many simulations are waiting, in all or of this caller.",
            "Retry after the time in Retry-After."),
    STILL_RUNNING(
            409,
            "Still running",
            "The job or sweep is queued or running, so it cannot be deleted.",
            "Cancel it first with POST .../cancel."),
    STORED_UNREADABLE(
            500,
            "Stored optimization unreadable",
            "The stored job cannot be read from the database.",
            "Delete the job and submit the request again."),
    TIMED_OUT(
            504,
            "Timed out",
            "The search exceeded optimizer.jobs.timeout.",
            "Narrow the search, or raise the setting."),
    TOO_LARGE_TO_ANSWER(
            422,
            "Too large to answer at once",
            "A search without a job exceeds optimizer.jobs.prompt-time or the wait.",
            "Submit a job."),
    TOO_MANY_SHARES(409, "Too many links", "The job has the maximum number of share links.", "Revoke a link first."),
    TOO_MANY_STREAMS(
            429,
            "Too many streams",
            "The caller has the maximum number of event streams open.",
            "Close a stream, or retry after the time in Retry-After."),
    TRACES_BUSY(
            429,
            "Traces busy",
            "Too many traces are being read, in all or of this caller.",
            "Retry after the time in Retry-After."),
    UNKNOWN_HOST(
            421,
            "Misdirected Request",
            "The Host header has a name that the service does not answer for.",
            "Use a known name, or add it to optimizer.http.allowed-hosts.");

    private final int status;
    private final String title;
    private final String when;
    private final String fix;

    ProblemKind(int status, String title, String when, String fix) {
        this.status = status;
        this.title = title;
        this.when = when;
        this.fix = fix;
    }

    /// Returns the kind of a name, or empty if there is none.
    public static Optional<ProblemKind> named(String name) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(name)).findFirst();
    }

    /// Returns the name, which is the last part of the type.
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /// Returns the situation in which the problem occurs.
    public String when() {
        return when;
    }

    /// Returns the remedy.
    public String fix() {
        return fix;
    }
}
