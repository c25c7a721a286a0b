package io.throughputoptimizer;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardPlan;
import io.throughputoptimizer.core.forward.ForwardPlanner;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.job.JobRequest;
import io.throughputoptimizer.job.RunOptimization;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/// Searches in the background for a moment after the start, so that the first callers do not wait until classes are
/// loaded and code is compiled. What it finds goes nowhere: no job, no cache and no metric knows of it.
final class WarmUp {
    private static final int ROUNDS = 100;

    /// Code is compiled once for all contexts of a process.
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private static final List<String> REQUESTS = List.of("""
            {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8, "workload": {"input_length": 3500, "output_length": 1500},
             "slo": {"tpot_ms": 50}, "serving": {"compile": true}}""", """
            {"model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM"], "num_devices": 2, "mode": "disaggregation", "serving": {"compile": true},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50}}""");

    private final RequestValidator validator;
    private final ProblemReader problems;
    private final RunOptimization search;
    private volatile boolean closed;

    WarmUp(RequestValidator validator, ProblemReader problems) {
        this.validator = validator;
        this.problems = problems;
        Map<ForwardPlan.Key, ForwardPlan> plans = new ConcurrentHashMap<>();
        ForwardPlanner planner =
                deployment -> plans.computeIfAbsent(ForwardPlan.Key.of(deployment), _ -> new ForwardPlan(deployment));
        AnalyticForwardEstimator estimator = new AnalyticForwardEstimator(planner);
        this.search = new RunOptimization(problems, new Optimizer(estimator), estimator);
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        if (BEGUN.compareAndSet(false, true)) {
            Thread.ofPlatform().name("warm-up").daemon().start(() -> run(ROUNDS));
        }
    }

    @EventListener(ContextClosedEvent.class)
    void end() {
        closed = true;
    }

    /// @return how many searches were run
    int run(int rounds) {
        int searches = 0;
        for (int round = 0; round < rounds && !closed; round++) {
            for (String request : REQUESTS) {
                searches += search(request).isEmpty() ? 0 : 1;
            }
        }
        return searches;
    }

    /// All that a caller's request goes through but the database.
    private String search(String json) {
        OptimizationRequest request = WireFormat.read(
                WireFormat.Syntax.JSON, json.getBytes(StandardCharsets.UTF_8), OptimizationRequest.class);
        validator.check(request);
        ProblemReader.Accepted accepted = problems.accept(request);
        return search.apply(
                        new JobRequest(WireFormat.write(accepted.effective()), accepted, null, null, false),
                        SearchMonitor.SILENT)
                .json();
    }
}
