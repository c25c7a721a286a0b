package io.throughputoptimizer.web.frozen;

import static io.throughputoptimizer.web.frozen.Draw.members;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Requests for small searches on measured devices.
final class MeasuredQuestions {
    private static final List<String> ENGINES = List.of("trtllm", "vllm", "sglang");

    private final Draw draw;

    MeasuredQuestions(long seed) {
        this.draw = new Draw(seed);
    }

    /// What is served where.
    ///
    /// @param devices that multiply in the scheme
    /// @param least devices that hold the model
    private record Served(String model, String scheme, List<String> devices, List<String> engines, int least) {}

    private static final List<Served> DENSE = List.of(
            new Served("Qwen/Qwen3-8B", "FP8", List.of("H100_SXM", "L40S", "H200_SXM"), ENGINES, 1),
            new Served("Qwen/Qwen3-8B", "BF16", List.of("A100_SXM", "H100_SXM", "L40S"), ENGINES, 1),
            new Served("Qwen/Qwen3-32B", "FP8", List.of("H100_SXM", "H200_SXM", "B200_SXM"), ENGINES, 1),
            new Served("Qwen/Qwen3-32B", "NVFP4", List.of("B200_SXM", "GB200", "RTX_PRO_6000"), ENGINES, 1),
            new Served("meta-llama/Meta-Llama-3.1-8B", "FP8_BLOCK", List.of("H200_SXM", "B300_SXM"), ENGINES, 1),
            new Served("Qwen/Qwen3-32B", "W8A8", List.of("ATLAS_800_A2_376T_64G"), List.of("vllm-ascend"), 1));

    private static final List<Served> ALL = concat(
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

    Question aggregation() {
        Served served = draw.pick(ALL);
        Map<String, Object> request = asked(served, devices(served, 0.3), served.least * draw.pick(1, 1, 2, 4));
        request.put("search", sizes(draw.pick(8, 32, 64)));
        return Question.search(request);
    }

    /// With limits on percentiles, or rows that show them, of closed and open load.
    Question percentiles() {
        return Question.search(percentilesRequest(draw.chance(0.5)));
    }

    private Map<String, Object> percentilesRequest(boolean limited) {
        Served served = draw.pick(DENSE);
        Map<String, Object> request = asked(served, List.of(draw.pick(served.devices)), draw.pick(1, 1, 2));
        request.put("workload", members("input_length", draw.pick(128, 1000), "output_length", draw.pick(16, 60)));
        request.put("search", allSizes(draw.pick(4, 8)));
        request.put("traffic", draw.chance(0.4) ? rate() : loop());
        Map<String, Object> limits = limits(1);
        if (limited) {
            limits.putIfAbsent("tpot_ms", draw.pick(15, 30));
            limits.put("percentile", draw.pick(50, 90, 95.5, 99));
        } else {
            request.put("percentiles", true);
        }
        request.put("slo", limits);
        return request;
    }

    private Map<String, Object> rate() {
        return members("request_rate", draw.pick(0.5, 2.0, 6.0), "seed", draw.pick(1, 7), "length_ratio", 0.8);
    }

    private Map<String, Object> loop() {
        Map<String, Object> loop = members("waves", draw.pick(2, 5), "length_ratio", draw.pick(1, 0.8, 0.4));
        if (draw.chance(0.3)) {
            loop.put("think_ms", draw.pick(20, 500));
        }
        return loop;
    }

    /// One size of instances on each side.
    Question ratio() {
        return Question.search(ratioRequest());
    }

    private Map<String, Object> ratioRequest() {
        Served served = draw.pick(DENSE);
        Map<String, Object> request = asked(served, devices(served, 0.2), draw.pick(4, 6, 8));
        request.put("mode", "pd_ratio");
        request.put("search", allSizes(draw.pick(8, 16)));
        request.put(
                "pd_ratio",
                members(
                        "prefill_devices_per_instance",
                        draw.pick(1, 2),
                        "decode_devices_per_instance",
                        draw.pick(1, 2)));
        return request;
    }

    /// Instances of several sizes, on one or two kinds of device, with and without a transfer.
    Question pairs() {
        return Question.search(pairsRequest());
    }

    private Map<String, Object> pairsRequest() {
        Served served = draw.pick(DENSE);
        boolean two = served.devices.size() > 1 && draw.chance(0.5);
        List<String> kinds = two ? served.devices.subList(0, 2) : List.of(draw.pick(served.devices));
        Map<String, Object> request = asked(served, kinds, draw.pick(4, 6));
        request.put("mode", "pd_ratio");
        request.put("search", allSizes(draw.pick(8, 16)));
        Map<String, Object> pair = members(
                "prefill_devices_per_instance",
                draw.pick(List.of(1), List.of(1, 2)),
                "decode_devices_per_instance",
                draw.pick(List.of(2), List.of(1, 2), List.of(2, 1)));
        if (two) {
            pair.put("prefill_devices", kinds.getFirst());
            pair.put("decode_devices", draw.chance(0.5) ? List.of(kinds.get(1)) : kinds);
        }
        if (draw.chance(0.6)) {
            pair.put("kv_transfer", transfer());
        }
        request.put("pd_ratio", pair);
        return request;
    }

    private Map<String, Object> transfer() {
        Map<String, Object> transfer = members("gb_per_s", draw.pick(0.5, 5, 25, 100));
        if (draw.chance(0.5)) {
            transfer.put("latency_ms", draw.pick(1, 5.5));
        }
        return transfer;
    }

    Question capacity() {
        Served served = draw.pick(draw.chance(0.7) ? DENSE : ALL);
        List<String> devices = devices(served, 0.2);
        Map<String, Object> request = asked(served, devices, served.least * draw.pick(2, 4, 8));
        request.put("mode", "capacity");
        if (request.containsKey("objective")) {
            request.put("objective", Objectives.drawn(draw, devices, 1));
        }
        request.put("search", sizes(draw.pick(4, 8)));
        request.put(
                "demand",
                switch (draw.below(3)) {
                    case 0 -> members("requests_per_s", draw.pick(0.5, 2.5, 6));
                    case 1 -> members("tokens_per_s", draw.pick(40, 250.5, 900));
                    default -> members("concurrency", draw.pick(3, 10, 24));
                });
        if (draw.chance(0.5)) {
            request.put("headroom", draw.pick(0.1, 0.25));
        }
        if (draw.chance(0.7)) {
            request.put("instance_sizes", List.of(served.least, 2 * served.least));
        }
        if (draw.chance(0.5)) {
            request.put("kv_transfer", transfer());
        }
        return Question.search(request);
    }

    /// Of each of these, why.
    Question explained() {
        Map<String, Object> request = switch (draw.below(6)) {
            case 0 -> ratioRequest();
            case 1, 2 -> pairsRequest();
            case 3 -> percentilesRequest(true);
            default -> {
                Served served = draw.pick(draw.chance(0.7) ? DENSE : ALL);
                yield asked(served, devices(served, 0.2), served.least * draw.pick(1, 2));
            }
        };
        request.put("search", members("batch_range", List.of(draw.pick(4, 8))));
        return Question.explained(request);
    }

    private Map<String, Object> asked(Served served, List<String> devices, int count) {
        Map<String, Object> request = members("cost_model", "calibrated", "model_id", served.model, "devices", devices);
        request.put("num_devices", draw.chance(0.15) ? each(devices, count) : count);
        request.put("workload", workload());
        request.put("slo", limits(served.least));
        request.put("engine", engine(served));
        request.put("quantization", members("scheme", served.scheme));
        if (draw.chance(0.5)) {
            request.put("traffic", members("waves", draw.pick(1, 4, 20.5), "length_ratio", draw.pick(1, 0.8, 0.25)));
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

    private List<String> devices(Served served, double several) {
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

    private Map<String, Object> limits(int scale) {
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
            engine.put("token_budget", draw.pick(512, 4096));
        }
        if (draw.chance(0.2)) {
            engine.put("policy", draw.pick("mixed", "alternate"));
        }
        if (draw.chance(0.2)) {
            engine.put("max_running", draw.pick(4, 40));
        }
        if (draw.chance(0.2)) {
            engine.put("kv_cache", "bf16");
        }
        if (draw.chance(0.15)) {
            engine.put("kv_tokens", draw.pick(20_000, 150_000));
        }
        return engine;
    }

    private Map<String, Object> sizes(int most) {
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
    private Map<String, Object> allSizes(int most) {
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
