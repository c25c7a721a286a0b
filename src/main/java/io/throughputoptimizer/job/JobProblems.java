package io.throughputoptimizer.job;

import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.ProblemKind;
import io.throughputoptimizer.api.problem.Violation;
import java.time.Duration;
import java.util.List;

/// Problems of failed jobs, as callers see them. Internal details are logged instead.
public final class JobProblems {
    private static final int KIB = 1024;
    private static final int INTERNAL_ERROR = 500;

    private JobProblems() {}

    /// Returns the problem of an accepted request that is no longer valid because the catalog changed.
    static Problem refused(List<Violation> violations) {
        return Problem.invalidBody(violations).withRetryable(false);
    }

    public static Problem timedOut(Duration timeout) {
        return Problem.of(
                        ProblemKind.TIMED_OUT,
                        "The search took longer than " + timeout.toMillis() / 1e3
                                + " s. Narrow batch_range, tp_sizes or"
                                + " devices, or have optimizer.jobs.timeout raised.")
                .withRetryable(false);
    }

    /// @param bytes memory budget of a search
    public static Problem tooMuchToKeep(long bytes) {
        return Problem.of(
                        ProblemKind.MEMORY_BUDGET,
                        "The search would keep more rows, points and rejected layouts than the " + bytes / KIB
                                + " KB of memory that a search has. Narrow batch_range, tp_sizes, ep_sizes,"
                                + " moe_dp_sizes, max_batched_tokens, instance_sizes or devices, leave out"
                                + " dump_original_results, or have optimizer.jobs.maximum-memory raised.")
                .withRetryable(false);
    }

    /// @param bytes maximum length of a stored result
    static Problem tooLongToStore(int bytes) {
        return Problem.of(
                        ProblemKind.MEMORY_BUDGET,
                        "The result is longer than " + bytes / KIB + " KB, an eighth of the service's heap. Narrow"
                                + " batch_range, tp_sizes, ep_sizes, moe_dp_sizes or devices, leave out"
                                + " dump_original_results, or have the heap raised.")
                .withRetryable(false);
    }

    /// @param failure failure to read the stored data
    public static Problem unreadable(StoredTextException failure) {
        return Problem.of(
                        ProblemKind.STORED_UNREADABLE,
                        "What is stored of this optimization cannot be read: " + failure.getMessage()
                                + ". It can be removed; submit the request again.")
                .withRetryable(false);
    }

    public static Problem outOfMemory() {
        return Problem.of(
                        ProblemKind.OUT_OF_MEMORY,
                        "The service ran out of memory during the search; it may succeed when fewer searches run.")
                .withRetryable(true);
    }

    public static Problem internal() {
        return Problem.plain(
                        INTERNAL_ERROR,
                        "Internal Server Error",
                        "The optimization failed because of an error in the service, not in the request.")
                .withRetryable(false);
    }

    public static Problem interrupted(int attempts) {
        return Problem.of(
                        ProblemKind.INTERRUPTED,
                        "The service was interrupted " + attempts + " times while it ran this search, and gave it up."
                                + " Submit it again once the service is stable.")
                .withRetryable(true);
    }
}
