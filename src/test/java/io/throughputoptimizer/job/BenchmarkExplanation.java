package io.throughputoptimizer.job;

import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Time of a search on one thread, from its request to its result as JSON, with plans at hand: plain, and explained.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark=BenchmarkExplanation`
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 3, time = 5)
@Fork(1)
public class BenchmarkExplanation {

    /// What is searched.
    public enum Subject {
        /// Qwen3-32B on 8 devices: 4 layouts.
        DENSE("""
                {"model_id": "Qwen/Qwen3-32B", "devices": ["TEST_DEVICE"], "num_devices": 8, "workload": {"input_length": 3500, "output_length": 1500},
                 "slo": {"ttft_ms": 2000, "tpot_ms": 50}, "serving": {"compile": true}, "explain": %s}"""),
        /// DeepSeek-V3.1 on 32 devices: 126 layouts.
        LATENT("""
                {"model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["TEST_DEVICE"], "num_devices": 32,
                 "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"tpot_ms": 50},
                 "search": {"tp_sizes": [], "ep_sizes": [], "moe_dp_sizes": []}, "serving": {"compile": true}, "explain": %s}""");

        private final String request;

        Subject(String request) {
            this.request = request;
        }
    }

    @Param
    public Subject subject = Subject.DENSE;

    @Param({"false", "true"})
    public boolean explained;

    @Benchmark
    public String answer() {
        JobRequest request = JobRequest.stored(subject.request.formatted(explained));
        return ExplainedSearches.SEARCH.apply(request, SearchMonitor.SILENT).json();
    }
}
