package io.throughputoptimizer.job;

import io.throughputoptimizer.api.OptimizationRequest;
import io.throughputoptimizer.api.ProblemReader;
import io.throughputoptimizer.api.ResultResponse;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/// The work of a job: from an effective request to its result, both as JSON. Thread-safe.
public final class RunOptimization implements BiFunction<JobRequest, SearchMonitor, String> {
    private final ProblemReader problems;
    private final Optimizer optimizer;
    private final Clock clock;
    /// Held while a result is written, which takes several times its size: one at a time.
    private final ReentrantLock writing = new ReentrantLock();

    public RunOptimization(ProblemReader problems, Optimizer optimizer, Clock clock) {
        this.problems = problems;
        this.optimizer = optimizer;
        this.clock = clock;
    }

    @Override
    public String apply(JobRequest request, SearchMonitor monitor) {
        Instant startedAt = clock.instant();
        OptimizationResult result = optimizer.optimize(problem(request), monitor);
        Duration elapsed = Duration.between(startedAt, clock.instant());
        writing.lock();
        try {
            return WireFormat.write(ResultResponse.from(result, elapsed));
        } finally {
            writing.unlock();
        }
    }

    private OptimizationProblem problem(JobRequest request) {
        OptimizationProblem problem = request.problem();
        return problem == null ? problems.read(WireFormat.read(request.json(), OptimizationRequest.class)) : problem;
    }
}
