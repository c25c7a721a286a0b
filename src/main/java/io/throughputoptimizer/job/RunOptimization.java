package io.throughputoptimizer.job;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.EngineDefaults;
import io.throughputoptimizer.api.reading.ExplicitFields;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.reading.ProblemReader.Accepted;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.Assumptions;
import io.throughputoptimizer.api.result.BestPlans;
import io.throughputoptimizer.api.result.CalibratedResponses;
import io.throughputoptimizer.api.result.CapacityResponses;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.figure.CheckpointResponse;
import io.throughputoptimizer.core.calibrated.CalibratedOptimizer;
import io.throughputoptimizer.core.calibrated.CalibratedResult;
import io.throughputoptimizer.core.capacity.CalibratedCapacityOptimizer;
import io.throughputoptimizer.core.capacity.CapacityOptimizer;
import io.throughputoptimizer.core.capacity.CapacityResult;
import io.throughputoptimizer.core.explain.Explainer;
import io.throughputoptimizer.core.explain.Explanation;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.job.DefaultsSearch.Beside;
import io.throughputoptimizer.job.DefaultsSearch.Found;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Computes the result of a job from its effective request. Thread-safe.
public final class RunOptimization implements BiFunction<JobRequest, SearchMonitor, WrittenResult> {
    private static final Duration LONGEST_UNASKED = Duration.ofMillis(100);

    private final ProblemReader problems;
    private final Optimizer optimizer;
    private final CapacityOptimizer capacities;
    private final Explainer explainer;
    private final DefaultsSearch defaults = new DefaultsSearch(this::search);
    /// Held while a result is written: it takes several times its size in memory, so one is written at a time.
    private final ReentrantLock writing = new ReentrantLock();

    /// @param estimator estimator of passes, the same as the optimizer's
    public RunOptimization(ProblemReader problems, Optimizer optimizer, AnalyticForwardEstimator estimator) {
        this.problems = problems;
        this.optimizer = optimizer;
        this.capacities = new CapacityOptimizer(optimizer);
        this.explainer = new Explainer(optimizer, estimator);
    }

    @Override
    public WrittenResult apply(JobRequest request, SearchMonitor monitor) {
        Accepted accepted = request.accepted();
        OptimizationRequest effective = accepted == null
                ? WireFormat.readStored(request.json(), OptimizationRequest.class)
                : accepted.effective();
        // Reading a request can take long: it can define as many devices as it can name, with all their
        // measurements.
        monitor.failWhenCancelled();
        ExplicitFields asked = request.explicit();
        SearchQuestion question =
                accepted == null ? stored(effective, request.asked() == null ? null : asked) : accepted.problem();
        monitor.failWhenCancelled();
        Found found = search(question, monitor, true);
        Optional<Beside> beside = EngineDefaults.of(question, asked)
                .map(own -> request.includesDefaults()
                        ? defaults.searched(question, own, found, monitor)
                        : new Beside(own, null, null));
        return written(
                monitor,
                () -> BestPlans.complete(
                        effective,
                        new Assumptions(
                                        effective,
                                        asked,
                                        reason(effective, request),
                                        beside.map(Beside::told).orElse(null),
                                        problems.caveats(effective))
                                .beside(found.answer().get())));
    }

    private @Nullable String reason(OptimizationRequest effective, JobRequest request) {
        OptimizationRequest body = request.body() == null && request.asked() != null
                ? WireFormat.readStored(request.asked(), OptimizationRequest.class)
                : request.body();
        return body == null ? null : problems.costModelReason(effective, body, request.explicit());
    }

    /// Runs a search without storing anything and without secondary searches.
    public ResultResponse answer(SearchQuestion question, SearchMonitor monitor) {
        return search(question, monitor).answer().get();
    }

    private Found search(SearchQuestion question, SearchMonitor monitor) {
        return search(question, monitor, false);
    }

    /// @param nearest true to add the nearest feasible plans to a result without a plan
    private Found search(SearchQuestion question, SearchMonitor monitor, boolean nearest) {
        long startedAt = System.nanoTime();
        return switch (question) {
            case SearchQuestion.Analytic(var problem, var explained, var ofCheckpoint, var others) -> {
                OptimizationResult result = optimizer.optimize(problem, monitor);
                Duration elapsed = since(startedAt);
                Explanation explanation = explained ? explainer.explain(result, others, monitor) : null;
                yield new Found(
                        result.statistics().points() + result.statistics().simulatedSteps(),
                        () -> with(ofCheckpoint, problem.model(), ResultResponse.from(result, elapsed, explanation)));
            }
            case SearchQuestion.Capacity(var problem, var ofCheckpoint) -> {
                CapacityResult result = capacities.optimize(problem, monitor);
                Duration elapsed = since(startedAt);
                yield new Found(
                        result.statistics().points() + result.statistics().simulatedSteps(),
                        () -> with(ofCheckpoint, problem.model(), CapacityResponses.from(problem, result, elapsed)));
            }
            case SearchQuestion.MeasuredCapacity(var problem) -> {
                CapacityResult result = CalibratedCapacityOptimizer.optimize(
                        problem, monitor, optimizer.allowance(), optimizer.workers());
                Duration elapsed = since(startedAt);
                yield new Found(result.statistics().points(), () -> CapacityResponses.from(problem, result, elapsed));
            }
            case SearchQuestion.Calibrated(var problem, var explained, var alternatives) -> {
                CalibratedResult result = CalibratedOptimizer.optimize(problem, monitor, optimizer.workers());
                Duration elapsed = since(startedAt);
                Explanation explanation = explained
                        ? explainer.explain(result, alternatives, monitor)
                        : nearest && !result.isFeasible() ? explainer.nearest(result, alternatives, monitor) : null;
                yield new Found(result.points(), () -> CalibratedResponses.from(result, elapsed, explanation));
            }
        };
    }

    private static ResultResponse with(boolean ofCheckpoint, ModelArchitecture model, ResultResponse response) {
        return ofCheckpoint ? response.with(CheckpointResponse.from(model)) : response;
    }

    private static Duration since(long startedAt) {
        return Duration.ofNanos(System.nanoTime() - startedAt);
    }

    private WrittenResult written(SearchMonitor monitor, Supplier<ResultResponse> found) {
        awaitTurn(monitor);
        try {
            ResultResponse result = found.get();
            String json = WireFormat.write(result, monitor::failWhenCancelled);
            return new WrittenResult(json, ResultSummary.of(result), result);
        } finally {
            writing.unlock();
        }
    }

    /// Waits for the lock, but ends the wait if the search is canceled.
    private void awaitTurn(SearchMonitor monitor) {
        boolean interrupted = false;
        boolean mine = false;
        while (!mine) {
            monitor.failWhenCancelled();
            try {
                mine = writing.tryLock(LONGEST_UNASKED.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// @param asked submitted fields; null if unknown
    private SearchQuestion stored(OptimizationRequest effective, @Nullable ExplicitFields asked) {
        SearchQuestion question = problems.question(effective);
        return asked == null ? question : question.of(asked);
    }
}
