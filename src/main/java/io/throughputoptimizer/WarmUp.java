package io.throughputoptimizer;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.SubmittedRequest;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardPlan;
import io.throughputoptimizer.core.forward.ForwardPlanner;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.job.JobRequest;
import io.throughputoptimizer.job.JobState;
import io.throughputoptimizer.job.OptimizationJob;
import io.throughputoptimizer.job.RunOptimization;
import io.throughputoptimizer.job.SynchronousOutcome;
import io.throughputoptimizer.job.WrittenResult;
import io.throughputoptimizer.launch.EngineChoice;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/// Searches in the background after readiness, so that the first callers do not wait until classes are loaded and code
/// is compiled. It uses at most half of one processor. Its results go nowhere: no job, no cache and no metric.
final class WarmUp {
    private static final int ROUNDS = 10;

    /// Code is compiled once for all contexts of a process.
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    /// Searches of each kind that ends soon, the most frequent one first.
    static final List<String> REQUESTS = List.of("""
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"tpot_ms": 50},
             "serving": {"compile": true}}""", """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30}}""", """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 16,
             "mode": "capacity", "demand": {"requests_per_s": 2},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30}}""", """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM"], "num_devices": 2,
             "mode": "disaggregation", "serving": {"compile": true},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50}}""");

    private final RequestValidator validator;
    private final ProblemReader problems;
    private final Catalogs catalogs;
    private final RunOptimization search;
    private volatile boolean closed;

    WarmUp(RequestValidator validator, ProblemReader problems, Catalogs catalogs) {
        this.validator = validator;
        this.problems = problems;
        this.catalogs = catalogs;
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
        for (int round = 0; round < rounds; round++) {
            for (String request : REQUESTS) {
                if (closed) {
                    return searches;
                }
                long startedAt = System.nanoTime();
                answer(request);
                searches++;
                rest(System.nanoTime() - startedAt);
            }
        }
        return searches;
    }

    private void rest(long nanos) {
        try {
            Thread.sleep(Duration.ofNanos(nanos));
        } catch (InterruptedException _) {
            closed = true;
            Thread.currentThread().interrupt();
        }
    }

    /// Does all that a request passes but HTTP and the database.
    private void answer(String json) {
        SubmittedRequest submitted =
                SubmittedRequest.read(WireFormat.Syntax.JSON, json.getBytes(StandardCharsets.UTF_8));
        OptimizationRequest request = problems.resolved(submitted.request(), submitted.given());
        validator.check(request);
        ProblemReader.Accepted accepted = problems.accept(request);
        JobRequest job = new JobRequest(
                WireFormat.write(accepted.effective()),
                accepted,
                submitted.json(),
                submitted.request(),
                submitted.given(),
                false);
        WrittenResult result = search.apply(job, SearchMonitor.SILENT);
        JobState end =
                new JobState.Succeeded(Instant.EPOCH, Instant.EPOCH, JobProgress.NONE, result.json(), result.answer());
        ResultResponse found = Objects.requireNonNull(result.found());
        JobResponse answer = OptimizationJob.unstored(job, new SynchronousOutcome.Ended(Instant.EPOCH, end, found))
                .withLaunch(EngineChoice.ofBest(catalogs, accepted.effective(), found))
                .with(Set.of());
        WireFormat.write(answer.made(), OutputStream.nullOutputStream());
    }
}
