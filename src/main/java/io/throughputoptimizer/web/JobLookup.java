package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.job.OptimizationJob;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.problem.ProblemException;
import java.util.Optional;
import java.util.UUID;

/// Finds the job that a path names, and its result.
final class JobLookup {
    private JobLookup() {}

    /// Returns the job with its result.
    ///
    /// @throws ProblemException if there is none that the caller may see
    static OptimizationJob find(JobStore store, String id) {
        return visible(parse(id).flatMap(store::find));
    }

    /// Returns the job of a link, whoever shows it.
    ///
    /// @throws ProblemException if it is gone
    static OptimizationJob shared(JobStore store, UUID job) {
        return store.find(job).orElseThrow(JobLookup::notShared);
    }

    /// There is nothing to show; why is not said to who may have guessed.
    static ProblemException notShared() {
        return ProblemException.notFound(
                "The share link has expired, was revoked, or its optimization was deleted. Request a new link"
                        + " from its sender.");
    }

    /// Returns a job that the caller has submitted with the result that it has by now.
    static OptimizationJob withResult(JobStore store, OptimizationJob job) {
        return job.state().result() == null ? store.find(job.id()).orElse(job) : job;
    }

    /// @throws ProblemException if there is none that the caller may see
    static OptimizationJob findWithoutResult(JobStore store, String id) {
        return visible(parse(id).flatMap(store::findWithoutResult));
    }

    /// A job to cancel or remove, without its result.
    ///
    /// @throws ProblemException if there is none that the caller may see, or it is another's
    static OptimizationJob findToEnd(JobStore store, String id) {
        OptimizationJob job = findWithoutResult(store, id);
        if (!Caller.current().mayEnd(job.origin().owner())) {
            throw ProblemException.notOwn();
        }
        return job;
    }

    /// Returns the job if the caller can see it; otherwise it does not exist for the caller.
    private static OptimizationJob visible(Optional<OptimizationJob> job) {
        return job.filter(found -> Caller.current().maySee(found.origin().owner()))
                .orElseThrow(JobLookup::unknown);
    }

    private static ProblemException unknown() {
        return ProblemException.notFound("There is no optimization of this id"
                + (Caller.current().maySee(null)
                        ? "."
                        : " that your key can read: role submit reads its own, role read all."));
    }

    /// @throws ProblemException if the job has no result, or not yet
    static JobResult result(JobResponse job) {
        if (job.result() == null) {
            throw ProblemException.noResult(whyNoResult(job));
        }
        return job.result();
    }

    /// Checks that a job has a result, for a job that was loaded without it.
    ///
    /// @throws ProblemException if the job has no result, or not yet
    static void requireResult(JobResponse job) {
        if (job.status() != JobStatus.SUCCEEDED) {
            throw ProblemException.noResult(whyNoResult(job));
        }
    }

    private static String whyNoResult(JobResponse job) {
        return job.problem() == null
                ? "The optimization is " + WireFormat.name(job.status()) + ": only a succeeded one has a result."
                : "The optimization failed: " + job.problem().detail();
    }

    /// The id of a path, if it is one.
    static Optional<UUID> parse(String id) {
        try {
            return Optional.of(UUID.fromString(id));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
