package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.job.JobResponse;
import io.throughputoptimizer.job.JobResult;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.job.OptimizationJob;
import java.util.Optional;
import java.util.UUID;

/// Finds the job that a path names, and its result.
final class JobLookup {
    private JobLookup() {}

    /// @throws ProblemException if there is none
    static OptimizationJob find(JobStore store, String id) {
        return parse(id).flatMap(store::find).orElseThrow(JobLookup::unknown);
    }

    /// @throws ProblemException if there is none
    static OptimizationJob findWithoutResult(JobStore store, String id) {
        return parse(id).flatMap(store::findWithoutResult).orElseThrow(JobLookup::unknown);
    }

    private static ProblemException unknown() {
        return ProblemException.notFound("There is no optimization of this id.");
    }

    /// @throws ProblemException if the job has no result, or not yet
    static JobResult result(JobResponse job) {
        if (job.result() == null) {
            throw ProblemException.noResult(whyNoResult(job));
        }
        return new JobResult(job.request(), job.result());
    }

    private static String whyNoResult(JobResponse job) {
        return job.problem() == null
                ? "The optimization is " + WireFormat.write(job.status()).replace("\"", "")
                        + ": only a succeeded one has a result."
                : "The optimization failed: " + job.problem().detail();
    }

    private static Optional<UUID> parse(String id) {
        try {
            return Optional.of(UUID.fromString(id));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
