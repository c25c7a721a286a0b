package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
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
import io.throughputoptimizer.web.description.ApiTags;
import io.throughputoptimizer.web.description.ProblemResponses.NoResultResponse;
import io.throughputoptimizer.web.description.ProblemResponses.UnknownNameResponse;
import io.throughputoptimizer.web.description.Reported;
import io.throughputoptimizer.web.parameter.ParameterValue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Maximum context lengths on the layouts of an optimization.
@RestController
@Tag(name = ApiTags.RESULTS)
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

    @Operation(
            operationId = "getContexts",
            summary = "Get the maximum context length of each layout",
            description = "Maximum context length of each layout of the optimization, rejected ones included,"
                    + " and the number of requests of a given length. Available as JSON, plain text or CSV.")
    @ApiResponse(
            responseCode = "200",
            description = "Layouts with their context lengths.",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = ContextsResponse.class)))
    @ApiResponse(
            responseCode = "400",
            description = "A query parameter breaks a rule.",
            content = @Content(examples = @ExampleObject("INVALID_PARAMETER")))
    @UnknownNameResponse
    @NoResultResponse
    @Reported
    @GetMapping("/contexts")
    ContextsResponse contexts(
            @Parameter(description = "Id of the job.") @PathVariable String id,
            @Parameter(
                            description = "Concurrent requests of an instance, shared by its data parallel" + " ranks.",
                            schema = @Schema(type = "integer", minimum = "1", maximum = "1000000", defaultValue = "1"))
                    @RequestParam(defaultValue = "1")
                    String concurrency,
            @Parameter(
                            description = "Tokens of a request to count, input and output together. Default:"
                                    + " the longest request of the optimization.",
                            schema = @Schema(type = "integer", minimum = "1", maximum = "2147483647"))
                    @RequestParam(name = CONTEXT_TOKENS, required = false)
                    @Nullable
                    String contextTokens)
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
