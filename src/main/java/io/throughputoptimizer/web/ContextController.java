package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.ContextAnswer;
import io.throughputoptimizer.api.result.ContextsResponse;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.bound.AtOnceThreads.SimulationThreads;
import io.throughputoptimizer.web.description.Reported;
import io.throughputoptimizer.web.parameter.ParameterValue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Maximum context lengths on the layouts of an optimization.
@RestController
@RequestMapping("/api/v1/optimizations/{id}")
class ContextController {
    private static final String CONCURRENCY = "concurrency";
    private static final String CONTEXT_TOKENS = "context_tokens";

    private final JobStore store;
    private final JobRunner runner;
    private final ProblemReader problems;
    private final AnalyticForwardEstimator estimator;
    private final SimulationThreads threads;

    ContextController(
            JobStore store,
            JobRunner runner,
            ProblemReader problems,
            AnalyticForwardEstimator estimator,
            SimulationThreads threads) {
        this.store = store;
        this.runner = runner;
        this.problems = problems;
        this.estimator = estimator;
        this.threads = threads;
    }

    @Reported
    @GetMapping("/contexts")
    ContextsResponse contexts(
            @PathVariable String id,
            @RequestParam(defaultValue = "1") String concurrency,
            @RequestParam(name = CONTEXT_TOKENS, required = false) @Nullable String contextTokens)
            throws InterruptedException {
        return of(
                () -> {
                    JobResult result = JobLookup.result(runner.describe(JobLookup.find(store, id)));
                    return WireFormat.readStored(result.request(), OptimizationRequest.class);
                },
                concurrency,
                contextTokens);
    }

    /// Returns the maximum context lengths of a request, by parameters as in the query.
    ContextsResponse of(Supplier<OptimizationRequest> asked, String concurrency, @Nullable String contextTokens)
            throws InterruptedException {
        long requests = ParameterValue.asLong(CONCURRENCY, concurrency, 1, 1_000_000);
        Long tokens = contextTokens == null
                ? null
                : (Long) ParameterValue.asLong(CONTEXT_TOKENS, contextTokens, 1, Integer.MAX_VALUE);
        OptimizationRequest request = asked.get();
        SearchQuestion question = problems.question(request);
        boolean beyond = request.goesBeyondContext();
        return threads.run(
                Caller.currentId(),
                checkpoint -> new ContextAnswer(question, beyond, estimator, checkpoint).all(requests, tokens));
    }
}
