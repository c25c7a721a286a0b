package io.throughputoptimizer.web;

import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.job.JobRequest;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.OptimizationJob;
import io.throughputoptimizer.job.PromptEnd;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.share.Sharer;
import io.throughputoptimizer.share.Shares;
import org.springframework.stereotype.Component;

/// Answers of small searches of which nothing is kept: callers ask for them while they still write the question.
/// Thread-safe.
@Component
final class UnkeptAnswers {
    private final JobRunner runner;
    private final HttpLimits limits;
    private final LongWorkThreads threads;

    UnkeptAnswers(JobRunner runner, HttpLimits limits, LongWorkThreads threads) {
        this.runner = runner;
        this.limits = limits;
        this.threads = threads;
    }

    /// @param mostPoints that the search may have to try
    /// @param waiting places of requests that wait, of which this takes one
    /// @throws ProblemException if the search is too large, or too many wait
    JobResponse answer(JobRequest request, long mostPoints, Shares waiting, KeepPreference preference)
            throws InterruptedException {
        if (mostPoints > limits.promptPoints()) {
            throw ProblemException.tooLargeToAnswer(
                    "The search may have to try %s batch sizes, and one whose answer is not kept at most %s."
                            .formatted(mostPoints, limits.promptPoints()));
        }
        Sharer sharer = Caller.currentSharer();
        if (!waiting.take(sharer)) {
            throw ProblemException.searchesBusy(limits.retryAfter());
        }
        try {
            return answer(request, sharer, preference.patience());
        } finally {
            waiting.giveBack(sharer);
        }
    }

    private JobResponse answer(JobRequest request, Sharer sharer, WaitPreference wait) throws InterruptedException {
        return switch (runner.searchOnly(request, sharer, wait.duration())) {
            case PromptEnd.Ended ended -> JobLookup.unkept(threads, OptimizationJob.unkept(request, ended));
            case PromptEnd.OutOfTime _ ->
                throw ProblemException.tooLargeToAnswer(
                        "The search did not end within the %s s of its wait.".formatted(wait.seconds()));
            case PromptEnd.Busy busy -> throw ProblemException.searchesBusy(busy.expectedWait());
        };
    }
}
