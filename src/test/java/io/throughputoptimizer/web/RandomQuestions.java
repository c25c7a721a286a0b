package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/// Requests for small searches of every kind, and now and then one that is refused or finds nothing.
final class RandomQuestions {
    private static final List<String> MODELS = List.of(
            "Qwen/Qwen2.5-7B-Instruct",
            "Qwen/Qwen3-0.6B",
            "Qwen/Qwen3-8B",
            "Qwen/Qwen3-30B-A3B",
            "Qwen/Qwen3-VL-8B-Instruct",
            "Qwen/Qwen3-VL-30B-A3B-Instruct",
            "meta-llama/Meta-Llama-3.1-8B",
            "MiniMaxAI/MiniMax-M2",
            "deepseek-ai/DeepSeek-V3",
            "deepseek-ai/DeepSeek-V3.2",
            "moonshotai/Kimi-K2-Instruct",
            "zai-org/GLM-5");
    /// Those with layers for draft tokens.
    private static final List<String> DRAFTING = List.of("deepseek-ai/DeepSeek-V3", "zai-org/GLM-5");
    private static final List<String> DEVICES = List.of(
            "TEST_DEVICE",
            "ATLAS_800_A2_313T_64G",
            "ATLAS_800_A2_376T_64G",
            "ATLAS_800_A3_560T_128G_DIE",
            "ATLAS_800_A3_752T_128G_DIE",
            "ATLAS_350_425T_84G");
    private static final List<Integer> SIZES = List.of(1, 2, 4, 8, 16);

    private final Random random;

    RandomQuestions(long seed) {
        this.random = new Random(seed);
    }

    /// A request as JSON.
    String next() {
        String mode = pick("aggregation", "disaggregation", "pd_ratio");
        String model = pick(MODELS);
        int devices = pick(1, 2, 4, 8, 8, 16, 32, 48);
        boolean mixed = !mode.equals("pd_ratio") && chance(0.2);
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("model_id", model);
        request.put("devices", devices());
        request.put("num_devices", devices);
        request.put("mode", mode);
        request.put("workload", workload(mixed));
        request.put("slo", limits(mode, mixed));
        request.put("quantization", quantization());
        int instance = devices;
        if (mode.equals("pd_ratio") != chance(0.03)) {
            int prefill = pick(SIZES);
            int decode = pick(SIZES);
            instance = Math.min(prefill, decode);
            request.put(
                    "pd_ratio",
                    members("prefill_devices_per_instance", prefill, "decode_devices_per_instance", decode));
        }
        request.put("search", search(instance));
        request.put("serving", serving(model));
        request.put("accounting", mixed || chance(0.3) ? "corrected" : "documented");
        request.put("dump_original_results", chance(0.15));
        return WireFormat.write(request);
    }

    private List<String> devices() {
        List<String> devices = new ArrayList<>(List.of(pick(DEVICES)));
        while (chance(0.25)) {
            devices.add(pick(DEVICES));
        }
        return devices;
    }

    private Map<String, Object> workload(boolean mixed) {
        Map<String, Object> workload = new LinkedHashMap<>();
        if (mixed) {
            workload.put("length_distribution", chance(0.3) ? members("name", "builtin") : members("bins", bins()));
        } else {
            workload.put("input_length", pick(1, 100, 1000, 3500, 9000, 20_000));
        }
        workload.put("output_length", pick(1, 2, 50, 200));
        if (chance(0.3)) {
            workload.put("prefix_cache_hit_rate", pick(0.1, 0.5, 0.95));
        }
        if (!mixed && chance(0.2)) {
            workload.put("image", members("batch_size", pick(1, 2), "height", pick(224, 1080), "width", 1920));
        }
        return workload;
    }

    private List<Map<String, Object>> bins() {
        return IntStream.range(0, 2 + random.nextInt(3))
                .mapToObj(bin -> members(
                        "min_tokens", bin * 800, "max_tokens", bin * 800 + 1 + random.nextInt(799), "weight", 1 + bin))
                .toList();
    }

    private Map<String, Object> limits(String mode, boolean mixed) {
        boolean phases = mode.equals("disaggregation");
        Map<String, Object> limits = new LinkedHashMap<>();
        if ((phases && mixed) || chance(0.8)) {
            limits.put("ttft_ms", pick("inf", 0.5, 300, 2000.5, 10_000));
        }
        if (!(phases && mixed) && chance(0.8)) {
            limits.put("tpot_ms", pick("inf", 0.5, 20.25, 50, 100));
        }
        return limits;
    }

    private Map<String, Object> quantization() {
        Map<String, Object> quantization = new LinkedHashMap<>();
        if (chance(0.5)) {
            quantization.put("linear", pick("DISABLED", "W8A8_STATIC", "W8A8_DYNAMIC", "W4A8_STATIC", "FP8", "MXFP4"));
        }
        if (chance(0.3)) {
            quantization.put("attention", pick("DISABLED", "INT8"));
        }
        return quantization;
    }

    private Map<String, Object> search(int devices) {
        Map<String, Object> search = new LinkedHashMap<>();
        for (String sizes : List.of("tp_sizes", "ep_sizes", "moe_dp_sizes")) {
            if (chance(0.3)) {
                search.put(sizes, chance(0.3) ? List.of() : sizes(chance(0.95) ? devices : 16));
            }
        }
        String strategy = pick("exponential", "binary", "linear_exponential", "exhaustive");
        search.put("strategy", strategy);
        if (strategy.equals("exhaustive")) {
            search.put("batch_range", List.of(1 + random.nextInt(8), 8 + random.nextInt(8)));
        } else if (chance(0.9)) {
            search.put("batch_range", List.of(1 + random.nextInt(100)));
        }
        if (chance(0.3)) {
            search.put("max_batched_tokens", pick(512, 4096, 16_384));
        }
        return search;
    }

    private List<Integer> sizes(int most) {
        List<Integer> sizes = SIZES.stream().filter(size -> size <= most).toList();
        return IntStream.rangeClosed(0, random.nextInt(3))
                .mapToObj(_ -> pick(sizes))
                .toList();
    }

    private Map<String, Object> serving(String model) {
        Map<String, Object> serving = new LinkedHashMap<>();
        serving.put("compile", (!model.startsWith("Qwen") && chance(0.95)) || chance(0.5));
        if (chance(0.2)) {
            serving.put("reserved_memory_gb", pick(0, 2.5, 20));
        }
        if (chance(0.2)) {
            serving.put("serving_cost_ms", pick(1.5, 20));
        }
        if (DRAFTING.contains(model) ? chance(0.5) : chance(0.03)) {
            serving.put("num_mtp_tokens", 1 + random.nextInt(3));
            serving.put("mtp_acceptance_rate", List.of(0.9, 0.5));
        }
        return serving;
    }

    private static Map<String, Object> members(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return members;
    }

    private boolean chance(double share) {
        return random.nextDouble() < share;
    }

    @SafeVarargs
    private <T> T pick(T... all) {
        return all[random.nextInt(all.length)];
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
