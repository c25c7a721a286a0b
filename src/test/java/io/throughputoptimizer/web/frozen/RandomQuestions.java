package io.throughputoptimizer.web.frozen;

import static io.throughputoptimizer.web.frozen.Draw.members;

import io.throughputoptimizer.api.WireFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private final Draw draw;

    RandomQuestions(long seed) {
        this.draw = new Draw(seed);
    }

    /// A request as JSON.
    String next() {
        String mode = draw.pick("aggregation", "disaggregation", "pd_ratio");
        String model = draw.pick(MODELS);
        int devices = draw.pick(1, 2, 4, 8, 8, 16, 32, 48);
        boolean mixed = !mode.equals("pd_ratio") && draw.chance(0.2);
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("model_id", model);
        request.put("cost_model", "analytic");
        request.put("devices", devices());
        request.put("num_devices", devices);
        request.put("mode", mode);
        request.put("workload", workload(mixed));
        request.put("slo", limits(mode, mixed));
        request.put("quantization", quantization());
        int instance = devices;
        if (mode.equals("pd_ratio") != draw.chance(0.03)) {
            int prefill = draw.pick(SIZES);
            int decode = draw.pick(SIZES);
            instance = Math.min(prefill, decode);
            request.put(
                    "pd_ratio",
                    members("prefill_devices_per_instance", prefill, "decode_devices_per_instance", decode));
        }
        request.put("search", search(instance));
        request.put("serving", serving(model));
        request.put("accounting", mixed || draw.chance(0.3) ? "steady" : "documented");
        request.put("dump_original_results", draw.chance(0.15));
        return WireFormat.write(request);
    }

    private List<String> devices() {
        List<String> devices = new ArrayList<>(List.of(draw.pick(DEVICES)));
        while (draw.chance(0.25)) {
            devices.add(draw.pick(DEVICES));
        }
        return devices;
    }

    private Map<String, Object> workload(boolean mixed) {
        Map<String, Object> workload = new LinkedHashMap<>();
        if (mixed) {
            workload.put(
                    "length_distribution", draw.chance(0.3) ? members("name", "builtin") : members("bins", bins()));
        } else {
            workload.put("input_length", draw.pick(1, 100, 1000, 3500, 9000, 20_000));
        }
        workload.put("output_length", draw.pick(1, 2, 50, 200));
        if (draw.chance(0.3)) {
            workload.put("prefix_cache_hit_rate", draw.pick(0.1, 0.5, 0.95));
        }
        if (!mixed && draw.chance(0.2)) {
            workload.put(
                    "image", members("batch_size", draw.pick(1, 2), "height", draw.pick(224, 1080), "width", 1920));
        }
        return workload;
    }

    private List<Map<String, Object>> bins() {
        return IntStream.range(0, 2 + draw.below(3))
                .mapToObj(bin -> members(
                        "min_tokens", bin * 800, "max_tokens", bin * 800 + 1 + draw.below(799), "weight", 1 + bin))
                .toList();
    }

    private Map<String, Object> limits(String mode, boolean mixed) {
        boolean phases = mode.equals("disaggregation");
        Map<String, Object> limits = new LinkedHashMap<>();
        if ((phases && mixed) || draw.chance(0.8)) {
            limits.put("ttft_ms", draw.pick("inf", 0.5, 300, 2000.5, 10_000));
        }
        if (!(phases && mixed) && draw.chance(0.8)) {
            limits.put("tpot_ms", draw.pick("inf", 0.5, 20.25, 50, 100));
        }
        return limits;
    }

    private Map<String, Object> quantization() {
        Map<String, Object> quantization = new LinkedHashMap<>();
        if (draw.chance(0.5)) {
            quantization.put(
                    "linear", draw.pick("DISABLED", "W8A8_STATIC", "W8A8_DYNAMIC", "W4A8_STATIC", "FP8", "MXFP4"));
        }
        if (draw.chance(0.3)) {
            quantization.put("attention", draw.pick("DISABLED", "INT8"));
        }
        return quantization;
    }

    private Map<String, Object> search(int devices) {
        Map<String, Object> search = new LinkedHashMap<>();
        for (String sizes : List.of("tp_sizes", "ep_sizes", "moe_dp_sizes")) {
            if (draw.chance(0.3)) {
                search.put(sizes, draw.chance(0.3) ? List.of() : sizes(draw.chance(0.95) ? devices : 16));
            }
        }
        String strategy = draw.pick("exponential", "binary", "linear_exponential", "exhaustive");
        search.put("strategy", strategy);
        if (strategy.equals("exhaustive")) {
            search.put("batch_range", List.of(1 + draw.below(8), 8 + draw.below(8)));
        } else if (draw.chance(0.9)) {
            search.put("batch_range", List.of(1 + draw.below(100)));
        }
        if (draw.chance(0.3)) {
            search.put("max_batched_tokens", draw.pick(512, 4096, 16_384));
        }
        return search;
    }

    private List<Integer> sizes(int most) {
        List<Integer> sizes = SIZES.stream().filter(size -> size <= most).toList();
        return IntStream.rangeClosed(0, draw.below(3))
                .mapToObj(_ -> draw.pick(sizes))
                .toList();
    }

    private Map<String, Object> serving(String model) {
        Map<String, Object> serving = new LinkedHashMap<>();
        serving.put("compile", (!model.startsWith("Qwen") && draw.chance(0.95)) || draw.chance(0.5));
        if (draw.chance(0.2)) {
            serving.put("reserved_memory_gb", draw.pick(0, 2.5, 20));
        }
        if (draw.chance(0.2)) {
            serving.put("serving_cost_ms", draw.pick(1.5, 20));
        }
        if (DRAFTING.contains(model) ? draw.chance(0.5) : draw.chance(0.03)) {
            serving.put("num_mtp_tokens", 1 + draw.below(3));
            serving.put("mtp_acceptance_rate", List.of(0.9, 0.5));
        }
        return serving;
    }
}
