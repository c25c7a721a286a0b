package io.throughputoptimizer.web.frozen;

import static io.throughputoptimizer.web.frozen.Draw.members;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What requests on measured devices have in common.
final class MeasuredRequests {
    static final List<String> ENGINES = List.of("trtllm", "vllm", "sglang");

    /// What is served where.
    ///
    /// @param devices that multiply in the scheme
    /// @param least devices that hold the model
    record Served(String model, String scheme, List<String> devices, List<String> engines, int least) {}

    static final List<Served> DENSE = List.of(
            new Served("Qwen/Qwen3-8B", "FP8", List.of("H100_SXM", "L40S", "H200_SXM"), ENGINES, 1),
            new Served("Qwen/Qwen3-8B", "BF16", List.of("A100_SXM", "H100_SXM", "L40S"), ENGINES, 1),
            new Served("Qwen/Qwen3-32B", "FP8", List.of("H100_SXM", "H200_SXM", "B200_SXM"), ENGINES, 1),
            new Served("Qwen/Qwen3-32B", "NVFP4", List.of("B200_SXM", "GB200", "RTX_PRO_6000"), ENGINES, 1),
            new Served("meta-llama/Meta-Llama-3.1-8B", "FP8_BLOCK", List.of("H200_SXM", "B300_SXM"), ENGINES, 1),
            new Served("Qwen/Qwen3-32B", "W8A8", List.of("ATLAS_800_A2_376T_64G"), List.of("vllm-ascend"), 1));

    static final List<Served> ALL = concat(
            DENSE,
            new Served("Qwen/Qwen3-30B-A3B", "FP8_BLOCK", List.of("H100_SXM", "H200_SXM", "GB300"), ENGINES, 1),
            new Served("Qwen/Qwen3-30B-A3B", "BF16", List.of("A100_SXM", "H200_SXM"), ENGINES, 2),
            new Served("openai/gpt-oss-120b", "MXFP4_EXPERTS", List.of("H100_SXM", "B200_SXM"), ENGINES, 1),
            new Served("MiniMaxAI/MiniMax-M2", "FP8_BLOCK", List.of("H200_SXM", "B200_SXM"), ENGINES, 4),
            new Served("zai-org/GLM-4.5-Air", "FP8", List.of("H200_SXM", "B300_SXM"), ENGINES, 2),
            new Served("deepseek-ai/DeepSeek-R1", "NVFP4_EXPERTS", List.of("B200_SXM", "B300_SXM"), ENGINES, 8),
            new Served("moonshotai/Kimi-K2-Instruct", "INT4_EXPERTS", List.of("H200_SXM"), ENGINES, 8));

    private static List<Served> concat(List<Served> some, Served... more) {
        List<Served> all = new ArrayList<>(some);
        all.addAll(List.of(more));
        return List.copyOf(all);
    }

    private final Draw draw;

    MeasuredRequests(Draw draw) {
        this.draw = draw;
    }

    Map<String, Object> asked(Served served, List<String> devices, int count) {
        Map<String, Object> request = members("cost_model", "calibrated", "model_id", served.model, "devices", devices);
        request.put("num_devices", draw.chance(0.15) ? each(devices, count) : count);
        request.put("workload", workload());
        request.put("slo", limits(served.least));
        request.put("engine", engine(served));
        request.put("quantization", members("scheme", served.scheme));
        if (draw.chance(0.5)) {
            request.put(
                    "traffic", members("waves", draw.pick(1, 4, 20.5), "random_range_ratio", draw.pick(1, 0.8, 0.25)));
        }
        if (draw.chance(0.4)) {
            request.put("band_coverage", 0.5);
        }
        if (draw.chance(0.5)) {
            request.put("objective", Objectives.drawn(draw, devices, draw.pick(1, 4)));
        }
        return request;
    }

    private static Map<String, Object> each(List<String> devices, int count) {
        Map<String, Object> each = new LinkedHashMap<>();
        devices.forEach(device -> each.put(device, count));
        return each;
    }

    List<String> devices(Served served, double several) {
        return draw.chance(several) ? draw.some(served.devices) : List.of(draw.pick(served.devices));
    }

    private Map<String, Object> workload() {
        Map<String, Object> workload =
                members("input_length", draw.pick(64, 500, 1000, 3500), "output_length", draw.pick(2, 50, 200, 700));
        if (draw.chance(0.25)) {
            workload.put("prefix_cache_hit_rate", draw.pick(0.1, 0.75));
        }
        return workload;
    }

    Map<String, Object> limits(int scale) {
        Map<String, Object> limits = new LinkedHashMap<>();
        if (draw.chance(0.8)) {
            limits.put("ttft_ms", draw.pick("inf", 60, 400, 1500, 5000));
        }
        if (draw.chance(0.8)) {
            limits.put("tpot_ms", draw.pick(8 * scale, 20, 40, 100));
        }
        if (draw.chance(0.4)) {
            limits.put("ttft_basis", draw.pick("settled", "benchmark"));
        }
        return limits;
    }

    private Map<String, Object> engine(Served served) {
        Map<String, Object> engine = members("backend", draw.pick(served.engines));
        if (draw.chance(0.2)) {
            engine.put("frontend_ms", draw.pick(0, 12.5));
            engine.put("step_gap_ms", draw.pick(0, 1.5));
        }
        if (draw.chance(0.2)) {
            engine.put("max_batched_tokens", draw.pick(512, 4096));
        }
        if (draw.chance(0.2)) {
            engine.put("policy", draw.pick("mixed", "alternate"));
        }
        if (draw.chance(0.2)) {
            engine.put("max_num_seqs", draw.pick(4, 40));
        }
        if (draw.chance(0.2)) {
            engine.put("kv_cache_dtype", "bf16");
        }
        if (draw.chance(0.15)) {
            engine.put("kv_tokens", draw.pick(20_000, 150_000));
        }
        return engine;
    }

    Map<String, Object> sizes(int most) {
        Map<String, Object> search = allSizes(most);
        if (draw.chance(0.2)) {
            search.put("tp_sizes", draw.pick(List.of(1), List.of(1, 2)));
        }
        if (draw.chance(0.2)) {
            search.put("dp_sizes", draw.pick(List.of(1), List.of(1, 2)));
        }
        return search;
    }

    /// Of instances of any size.
    Map<String, Object> allSizes(int most) {
        Map<String, Object> search =
                members("batch_range", draw.chance(0.3) ? List.of(draw.pick(1, 2), most) : List.of(most));
        if (draw.chance(0.3)) {
            search.put("tp_sizes", List.of());
        }
        if (draw.chance(0.3)) {
            search.put("dp_sizes", List.of());
        }
        return search;
    }
}
