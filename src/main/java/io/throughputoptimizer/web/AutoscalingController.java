package io.throughputoptimizer.web;

import static io.throughputoptimizer.web.AutoscalingParameters.FORMATS;
import static io.throughputoptimizer.web.AutoscalingParameters.RATE_PROFILE;

import io.swagger.v3.oas.annotations.Parameter;
import io.throughputoptimizer.api.autoscaling.Autoscaling;
import io.throughputoptimizer.api.autoscaling.AutoscalingOptions;
import io.throughputoptimizer.api.autoscaling.AutoscalingOptions.Format;
import io.throughputoptimizer.api.autoscaling.AutoscalingResponse;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.request.SubmittedRequest;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.bound.AtOnceThreads.SimulationThreads;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.parameter.TakesParameters;
import io.throughputoptimizer.web.parameter.WaitPreference;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import io.throughputoptimizer.web.problem.ProblemException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Parameters of autoscalers for deployments of mode `capacity`.
@RestController
@RequestMapping("/api/v1/optimizations")
class AutoscalingController {

    private final JobStore store;
    private final JobRunner runner;
    private final StoredFindings stored;
    private final ProblemReader problems;
    private final Optimizer optimizer;
    private final SimulationThreads threads;
    private final RequestValidation judge;
    private final EphemeralSearches unstored;
    private final HttpLimits limits;

    AutoscalingController(
            JobStore store,
            JobRunner runner,
            StoredFindings stored,
            ProblemReader problems,
            AnalyticForwardEstimator estimator,
            SimulationThreads threads,
            RequestValidation judge,
            EphemeralSearches unstored,
            HttpLimits limits) {
        this.store = store;
        this.runner = runner;
        this.stored = stored;
        this.problems = problems;
        this.optimizer = new Optimizer(estimator);
        this.threads = threads;
        this.judge = judge;
        this.unstored = unstored;
        this.limits = limits;
    }

    @AutoscalingOperation
    @GetMapping(
            path = "/{id}/autoscaling",
            produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    AutoscalingResponse ofJob(
            @PathVariable String id, @Parameter(hidden = true) @RequestParam MultiValueMap<String, String> query)
            throws InterruptedException {
        AutoscalingOptions options = AutoscalingParameters.of(query);
        int place = AutoscalingParameters.rank(query);
        JobResult result = JobLookup.result(runner.describe(JobLookup.find(store, id)));
        return answer(stored.of(result), place, options);
    }

    @AutoscalingOperation
    @PostMapping(
            path = "/autoscaling",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE},
            produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    AutoscalingResponse ofRequest(
            @RequestBody SubmittedRequest asked,
            @RequestHeader(name = "Prefer", required = false) @Nullable String prefer,
            @Parameter(hidden = true) @RequestParam MultiValueMap<String, String> query)
            throws InterruptedException {
        AutoscalingOptions options = AutoscalingParameters.of(query);
        int place = AutoscalingParameters.rank(query);
        WaitPreference wait = WaitPreference.orLongest(prefer, limits.longestWait());
        RequestValidation.Judged judged = judge.judge(asked, false);
        if (judged.effective().mode() != Mode.CAPACITY) {
            throw new InvalidRequestException(
                    "/mode", "must be capacity. Set mode to capacity and demand to the traffic of your busiest hour.");
        }
        return answer(unstored.findings(judged, wait), place, options);
    }

    private AutoscalingResponse answer(Findings findings, int rank, AutoscalingOptions options)
            throws InterruptedException {
        OptimizationRequest request = findings.request();
        DeploymentResponse plan = plan(findings, rank);
        Set<Format> wrong = EnumSet.copyOf(options.formats());
        wrong.remove(Format.DYNAMO);
        if (!Autoscaling.isAggregated(plan) && !wrong.isEmpty()) {
            throw new InvalidParameterException(
                    AutoscalingParameters.FORMATS,
                    "must be dynamo, since the deployment of rank " + rank
                            + " is disaggregated. Set rank to that of an aggregated deployment for other formats");
        }
        SearchQuestion question = problems.question(request);
        return threads.run(
                Caller.currentId(),
                checkpoint -> Autoscaling.of(request, plan, question, optimizer, options, checkpoint));
    }

    /// Returns the deployment of a rank.
    ///
    /// @throws InvalidParameterException if the result is of another mode or has no such rank
    /// @throws ProblemException if no deployment serves the demand
    private static DeploymentResponse plan(Findings findings, int rank) {
        CapacityResponse capacity = findings.result().capacity();
        if (capacity == null) {
            throw new InvalidParameterException(
                    "id",
                    "must be the id of an optimization of mode capacity. Submit a request with mode capacity and a"
                            + " demand");
        }
        List<DeploymentResponse> rows = capacity.rows();
        if (rows.isEmpty()) {
            throw ProblemException.noResult(
                    "The devices do not serve the demand. Raise num_devices or relax slo; capacity.shortfalls of the"
                            + " result says how far.");
        }
        if (rank < 1 || rank > rows.size()) {
            throw new InvalidParameterException(
                    "rank",
                    "must be a whole number from 1 to " + rows.size() + ", the deployments of the result, got " + rank);
        }
        return rows.get(rank - 1);
    }

    /// Names the query parameters of both operations.
    @TakesParameters(
            value = {FORMATS, "name", "namespace", "rank", RATE_PROFILE, "start_s"},
            lists = FORMATS)
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    private @interface AutoscalingOperation {}
}
