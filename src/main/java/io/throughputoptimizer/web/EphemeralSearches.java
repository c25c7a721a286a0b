package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.OptimizationJob;
import io.throughputoptimizer.job.SynchronousOutcome;
import io.throughputoptimizer.launch.EngineChoice;
import io.throughputoptimizer.quota.CallerId;
import io.throughputoptimizer.quota.CallerQuota;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.parameter.WaitPreference;
import io.throughputoptimizer.web.problem.ProblemException;
import java.math.BigDecimal;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/// Searches whose results are not stored, for requests that are still being edited.
/// Thread-safe.
@Component
final class EphemeralSearches {
    private final JobRunner runner;
    private final HttpLimits limits;
    private final CallerQuota waiting;
    private final Catalogs catalogs;

    EphemeralSearches(
            JobRunner runner, HttpLimits limits, @Qualifier("waiting") CallerQuota waiting, Catalogs catalogs) {
        this.runner = runner;
        this.limits = limits;
        this.waiting = waiting;
        this.catalogs = catalogs;
    }

    /// The answer with the commands that start its best row.
    ///
    /// @throws ProblemException if the search is too large, or too many wait
    JobResponse withLaunch(RequestValidation.Judged question, WaitPreference wait) throws InterruptedException {
        SynchronousOutcome.Ended end = searched(question, wait);
        JobResponse answer = told(question, end);
        ResultResponse found = end.found();
        return found == null ? answer : answer.withLaunch(EngineChoice.ofBest(catalogs, question.effective(), found));
    }

    /// Returns the request and the result before serialization.
    ///
    /// @param wait maximum wait of the caller
    /// @throws ProblemException if the search is too large, or too many wait, or nothing is found
    Findings findings(RequestValidation.Judged question, WaitPreference wait) throws InterruptedException {
        SynchronousOutcome.Ended end = searched(question, wait);
        JobResult _ = JobLookup.result(told(question, end));
        return new Findings(question.effective(), requireNonNull(end.found()));
    }

    private JobResponse told(RequestValidation.Judged question, SynchronousOutcome.Ended end) {
        return OptimizationJob.unstored(question.request(), end);
    }

    private SynchronousOutcome.Ended searched(RequestValidation.Judged question, WaitPreference wait)
            throws InterruptedException {
        CallerId callerId = Caller.currentId();
        if (!waiting.take(callerId)) {
            throw ProblemException.searchesBusy(limits.retryAfter());
        }
        try {
            return searched(question, callerId, wait);
        } finally {
            waiting.giveBack(callerId);
        }
    }

    private SynchronousOutcome.Ended searched(RequestValidation.Judged question, CallerId callerId, WaitPreference wait)
            throws InterruptedException {
        return switch (runner.searchOnly(question.request(), callerId, wait.duration(), limits.promptTime())) {
            case SynchronousOutcome.Ended ended -> ended;
            case SynchronousOutcome.TooLarge _ ->
                throw ProblemException.tooLargeToAnswer(
                        "The search takes more than %s s of processor time, the limit of a search that is not stored."
                                .formatted(
                                        BigDecimal.valueOf(limits.promptTime().toMillis(), 3)
                                                .stripTrailingZeros()
                                                .toPlainString()));
            case SynchronousOutcome.OutOfTime _ ->
                throw ProblemException.tooLargeToAnswer(
                        "The search did not end within the %s s of its wait.".formatted(wait.seconds()));
            case SynchronousOutcome.Busy busy -> throw ProblemException.searchesBusy(busy.expectedWait());
        };
    }
}
