package io.throughputoptimizer.job;

import io.throughputoptimizer.api.WireFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Seeded questions of every mode about how much is served, as many of each accounting and cost model.
final class LoadedQuestions {
    static final int COUNT = 300;

    private static final List<String> MODES = List.of("aggregation", "disaggregation", "pd_ratio", "capacity");
    private static final List<String> DENSE =
            List.of("Qwen/Qwen3-8B", "Qwen/Qwen3-32B", "meta-llama/Meta-Llama-3.1-8B");
    private static final List<String> EXPERTS = List.of("Qwen/Qwen3-30B-A3B", "deepseek-ai/DeepSeek-V3.1");
    private static final List<Integer> SIZES = List.of(1, 2, 4, 8);

    private final Random random;
    private final Map<String, Object> request = new LinkedHashMap<>();

    private LoadedQuestions(long seed) {
        this.random = new Random(seed);
    }

    /// A request as JSON.
    static String of(long seed) {
        String mode = MODES.get((int) (seed % 4));
        return switch ((int) (seed / 4 % 3)) {
            case 0 -> new LoadedQuestions(seed).analytic(mode, "documented");
            case 1 -> new LoadedQuestions(seed).analytic(mode, "steady");
            default -> new LoadedQuestions(seed).calibrated(mode.equals("disaggregation") ? "pd_ratio" : mode);
        };
    }

    private String analytic(String mode, String accounting) {
        boolean steady = accounting.equals("steady");
        boolean drafting = random.nextInt(4) == 0;
        request.put("model_id", drafting ? "deepseek-ai/DeepSeek-V3.1" : pick(random.nextBoolean() ? DENSE : EXPERTS));
        request.put(
                "devices", List.of(pick(List.of("TEST_DEVICE", "H100_SXM", "H200_SXM", "ATLAS_800_A3_752T_128G_DIE"))));
        request.put("num_devices", mode.equals("pd_ratio") || mode.equals("capacity") ? 64 : pick(List.of(4, 8, 16)));
        request.put("cost_model", "analytic");
        request.put("accounting", accounting);
        mode(mode);
        Map<String, Object> workload = new LinkedHashMap<>();
        boolean mixed = steady && random.nextInt(3) == 0 && !mode.equals("disaggregation");
        if (mixed) {
            workload.put("length_distribution", bins(3500));
            if (random.nextBoolean()) {
                workload.put("output_distribution", bins(400));
            }
        } else {
            workload.put("input_length", 100 + random.nextInt(6000));
        }
        if (!workload.containsKey("output_distribution")) {
            workload.put("output_length", 2 + random.nextInt(400));
        }
        if (random.nextInt(3) == 0) {
            workload.put("prefix_cache_hit_rate", pick(List.of(0.1, 0.5, 0.9)));
        }
        request.put("workload", workload);
        request.put("slo", Map.of("ttft_ms", 1000 + random.nextInt(20_000), "tpot_ms", 30 + random.nextInt(100)));
        Map<String, Object> serving = new LinkedHashMap<>();
        serving.put("compile", true);
        if (drafting) {
            serving.put("num_mtp_tokens", 1 + random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            serving.put("serving_cost_ms", random.nextInt(100));
        }
        request.put("serving", serving);
        Map<String, Object> search = new LinkedHashMap<>();
        search.put("batch_range", List.of(1, 1 + random.nextInt(200)));
        if (random.nextInt(2) == 0) {
            search.put("max_batched_tokens", mixed ? 8192 : pick(List.of(512, 2048, 8192)));
        }
        request.put("search", search);
        request.put("dump_original_results", !mode.equals("capacity"));
        return WireFormat.write(request);
    }

    private String calibrated(String mode) {
        request.put("cost_model", "calibrated");
        boolean dense = random.nextBoolean();
        request.put("model_id", pick(dense ? DENSE : EXPERTS));
        request.put("quantization", Map.of("scheme", dense ? "FP8" : "FP8_BLOCK"));
        request.put("devices", List.of(pick(List.of("H100_SXM", "H200_SXM"))));
        request.put("num_devices", pick(List.of(16, 32)));
        request.put("engine", Map.of("backend", pick(List.of("vllm", "sglang", "trtllm"))));
        mode(mode);
        request.put(
                "workload",
                Map.of("input_length", 100 + random.nextInt(6000), "output_length", 50 + random.nextInt(500)));
        request.put("slo", Map.of("ttft_ms", 2000 + random.nextInt(20_000), "tpot_ms", 30 + random.nextInt(100)));
        request.put("search", Map.of("batch_range", List.of(1, 64)));
        return WireFormat.write(request);
    }

    private void mode(String mode) {
        request.put("mode", mode);
        if (mode.equals("pd_ratio")) {
            boolean lists = random.nextBoolean();
            request.put(
                    "pd_ratio",
                    Map.of(
                            "prefill_devices_per_instance",
                            lists ? List.of(4, 8) : pick(SIZES),
                            "decode_devices_per_instance",
                            lists ? List.of(4, 8) : pick(SIZES)));
        }
        if (mode.equals("capacity")) {
            request.put("demand", Map.of("requests_per_s", 1 + random.nextInt(60)));
        }
    }

    private Map<String, Object> bins(int longest) {
        int third = longest / 3;
        return Map.of(
                "bins",
                List.of(
                        Map.of("min_tokens", 2, "max_tokens", third, "weight", 1 + random.nextInt(3)),
                        Map.of("min_tokens", third, "max_tokens", 2 * third, "weight", 1 + random.nextInt(3)),
                        Map.of("min_tokens", 2 * third, "max_tokens", longest, "weight", 1)));
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
