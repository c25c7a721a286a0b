package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.fixture.EveryNight;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// However much is asked for, whoever cancels it is heard soon: between any two times that a job asks whether it shall
/// go on there is little work, in every phase of it. Work is counted in bytes that its thread takes, which are the same
/// on a busy machine: a thread takes a few gigabytes in a second at the most.
class CancellationTest {
    private static final long MOST_BETWEEN = 150_000_000;
    /// After so many it is cancelled, far into it.
    private static final long MOST_IN_ALL = 6_000_000_000L;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// Jobs that take long, each in a phase of its own.
    enum Giant {
        /// What binds each of thousands of candidates.
        EXPLANATION("""
                {"model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM"], "num_devices": 16, "explain": true,
                 "accounting": "steady", "workload": {"input_length": 3500, "output_length": 1500},
                 "slo": {"ttft_ms": 5000, "tpot_ms": 50}, "serving": {"compile": true},
                 "quantization": {"linear": ["W8A8_DYNAMIC", "FP8", "DISABLED"], "attention": ["DISABLED", "INT8"]},
                 "search": {"tp_sizes": [], "ep_sizes": [], "moe_dp_sizes": [], "batch_range": [1, 1],
                            "max_batched_tokens": [4096, 8192, 16384]}}"""),
        /// Batches of very unequal requests.
        MIXED_LENGTHS("""
                {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8, "accounting": "steady",
                 "workload": {}, "serving": {"compile": true},
                 "search": {"strategy": "exhaustive", "batch_range": [500, 540]}}""") {
            @Override
            ObjectNode request() {
                ObjectNode request = super.request();
                bins(request.withObject("/workload/length_distribution"), 100);
                bins(request.withObject("/workload/output_distribution"), 1);
                return request;
            }
        },
        /// Deployments of instances of as many kinds as can be laid out.
        CAPACITY("""
                {"model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM"], "num_devices": 1000, "mode": "capacity",
                 "accounting": "steady", "demand": {"requests_per_s": 100},
                 "workload": {"input_length": 3500, "output_length": 1500}, "serving": {"compile": true},
                 "quantization": {"linear": ["W8A8_DYNAMIC", "FP8"]}, "instance_sizes": [8, 16],
                 "search": {"tp_sizes": [], "ep_sizes": [], "moe_dp_sizes": [], "batch_range": [1, 1]}}""") {
            @Override
            ObjectNode request() {
                ObjectNode request = super.request();
                ArrayNode budgets = request.withObject("/search").putArray("max_batched_tokens");
                IntStream.range(0, 25).forEach(step -> budgets.add(4096 + step));
                return request;
            }
        },
        /// The same where nothing keeps the limits.
        UNSERVED_CAPACITY("""
                {"model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM"], "num_devices": 1000, "mode": "capacity",
                 "accounting": "steady", "demand": {"requests_per_s": 100}, "slo": {"ttft_ms": 1, "tpot_ms": 0.01},
                 "workload": {"input_length": 3500, "output_length": 1500}, "serving": {"compile": true},
                 "quantization": {"linear": ["W8A8_DYNAMIC", "FP8"]}, "instance_sizes": [8, 16],
                 "search": {"tp_sizes": [], "ep_sizes": [], "moe_dp_sizes": [], "batch_range": [1, 1]}}""") {
            @Override
            ObjectNode request() {
                return CAPACITY.request().set("slo", super.request().required("slo"));
            }
        },
        /// Measured instances of a thousand layouts.
        MEASURED_CAPACITY("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM", "H200_SXM"],
                 "num_devices": 1000, "mode": "capacity", "demand": {"requests_per_s": 1000},
                 "workload": {"input_length": 3500, "output_length": 1500}, "engine": {"backend": "vllm"},
                 "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": 5000, "tpot_ms": 50},
                 "search": {"tp_sizes": [], "dp_sizes": [], "ep_sizes": []}}"""),
        /// Measured instances of as many kinds of device and sizes as may be asked for.
        MEASURED_KINDS_AND_SIZES("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-30B-A3B", "num_devices": 1000000,
                 "mode": "capacity", "demand": {"requests_per_s": 1000},
                 "workload": {"input_length": 3500, "output_length": 1500},
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "slo": {"ttft_ms": 5000, "tpot_ms": 50}, "search": {"tp_sizes": [], "dp_sizes": [], "ep_sizes": []}}""") {
            @Override
            ObjectNode request() {
                ObjectNode request = super.request();
                ObjectNode profile = JsonMapper.shared()
                        .readTree(WireFormat.write(ExplainedSearches.CATALOGS
                                .deviceDocument("H100_SXM")
                                .orElseThrow()))
                        .asObject();
                profile.remove("effective");
                ArrayNode names = request.putArray("devices");
                ArrayNode profiles = request.putArray("device_profiles");
                IntStream.range(0, 64).mapToObj(kind -> "KIND_" + kind).forEach(name -> {
                    names.add(name);
                    profiles.add(profile.deepCopy().put("name", name));
                });
                ArrayNode sizes = request.putArray("instance_sizes");
                IntStream.rangeClosed(1, 64).forEach(size -> sizes.add(8 * size));
                return request;
            }
        },
        /// Each layout in a simulation.
        PERCENTILES("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM"],
                 "num_devices": 64, "percentiles": true, "explain": true,
                 "workload": {"input_length": 3500, "output_length": 1500}, "engine": {"backend": "vllm"},
                 "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": 5000, "tpot_ms": 50, "percentile": 95},
                 "search": {"tp_sizes": [], "dp_sizes": [], "ep_sizes": []}}"""),
        /// Very many numbers of instances of two kinds.
        PAIRS_OF_TWO_KINDS("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM", "H200_SXM"],
                 "num_devices": 512, "mode": "pd_ratio", "explain": true,
                 "pd_ratio": {"prefill_devices_per_instance": [4, 8], "decode_devices_per_instance": [4, 8],
                              "prefill_devices": ["H100_SXM"], "decode_devices": ["H200_SXM"]},
                 "workload": {"input_length": 3500, "output_length": 1500}, "engine": {"backend": "vllm"},
                 "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": 5000, "tpot_ms": 50}}"""),
        /// A result of very many rows.
        RESULT("""
                {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8, "dump_original_results": true,
                 "workload": {"input_length": 100, "output_length": 1500}, "serving": {"compile": true},
                 "accounting": "steady", "search": {"strategy": "exhaustive", "batch_range": [1, 3000]}}""");

        private final String text;

        Giant(String text) {
            this.text = text;
        }

        ObjectNode request() {
            return JsonMapper.shared().readTree(text).asObject();
        }

        private static void bins(ObjectNode distribution, int least) {
            ArrayNode bins = distribution.putArray("bins");
            IntStream.range(0, 1000)
                    .forEach(bin -> bins.addObject()
                            .put("min_tokens", least + 10 * bin)
                            .put("max_tokens", least + 10 * (bin + 1))
                            .put("weight", 1 + bin));
        }
    }

    /// Notes how much the thread takes between two times that it asks.
    private static final class Listening implements SearchMonitor {
        private final long begin = THREADS.getCurrentThreadAllocatedBytes();
        private long last = begin;
        private long longest;
        private List<StackTraceElement> after = List.of();

        @Override
        public boolean cancelled() {
            note();
            return last - begin > MOST_IN_ALL;
        }

        private void note() {
            long now = THREADS.getCurrentThreadAllocatedBytes();
            if (now - last > longest) {
                longest = now - last;
                after = List.of(Thread.currentThread().getStackTrace());
            }
            last = THREADS.getCurrentThreadAllocatedBytes();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MIXED_LENGTHS", "UNSERVED_CAPACITY", "RESULT"})
    void everyPhaseAsksOftenWhetherItShallGoOn(Giant giant) {
        assertThatItAsksOften(giant);
    }

    @EveryNight
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"MIXED_LENGTHS", "UNSERVED_CAPACITY", "RESULT"})
    void everyPhaseOfLongOnesAsksOftenWhetherItShallGoOn(Giant giant) {
        assertThatItAsksOften(giant);
    }

    private static void assertThatItAsksOften(Giant giant) {
        JobRequest request = JobRequest.stored(giant.request().toString());
        Listening monitor = new Listening();
        try {
            ExplainedSearches.SEARCH.apply(request, monitor);
        } catch (CancellationException _) {
            // Far into it.
        }
        monitor.note();
        assertThat(monitor.longest)
                .as(() -> "bytes taken before it was asked in "
                        + monitor.after.stream()
                                .map(StackTraceElement::toString)
                                .toList())
                .isLessThan(MOST_BETWEEN);
    }
}
