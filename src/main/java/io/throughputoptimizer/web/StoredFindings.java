package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.web.problem.ProblemException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Reads the requests and results of stored jobs. Callers of one format often ask for others next, so the last read
/// stays in memory unless it is long. Thread-safe.
@Component
final class StoredFindings {
    /// Characters of the longest request and result that are kept; what is made of them takes some times that.
    private static final int LONGEST_KEPT = 1 << 18;

    private final AtomicReference<@Nullable Kept> last = new AtomicReference<>();

    /// @param of result that was read, compared by its full text
    private record Kept(JobResult of, Findings findings) {
        boolean isOf(JobResult job) {
            return of.json().equals(job.json()) && of.request().equals(job.request());
        }
    }

    /// Returns the request and the result of a job, for a report.
    ///
    /// @throws ProblemException if a newer version of the service wrote the result
    Findings of(JobResult job) {
        Kept kept = last.get();
        if (kept != null && kept.isOf(job)) {
            return kept.findings;
        }
        Findings read = read(job);
        if (job.json().length() + job.request().length() <= LONGEST_KEPT) {
            last.set(new Kept(job, read));
        }
        return read;
    }

    private static Findings read(JobResult job) {
        ResultResponse result = ResultResponse.read(job.json())
                .orElseThrow(() -> ProblemException.newerResult(
                        "A newer version of the service wrote the result: it can be had as JSON only."));
        return new Findings(WireFormat.readStored(job.request(), OptimizationRequest.class), result);
    }
}
