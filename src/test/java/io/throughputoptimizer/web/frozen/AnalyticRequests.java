package io.throughputoptimizer.web.frozen;

import static io.throughputoptimizer.web.frozen.Draw.members;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What requests by the roofline have in common.
final class AnalyticRequests {
    static final List<String> DENSE =
            List.of("Qwen/Qwen3-0.6B", "Qwen/Qwen3-8B", "Qwen/Qwen2.5-7B-Instruct", "meta-llama/Meta-Llama-3.1-8B");
    static final List<String> DEVICES = List.of(
            "TEST_DEVICE",
            "ATLAS_800_A2_376T_64G",
            "ATLAS_800_A3_560T_128G_DIE",
            "ATLAS_350_425T_84G",
            "H100_SXM",
            "B200_SXM",
            "L40S");

    private final Draw draw;

    AnalyticRequests(Draw draw) {
        this.draw = draw;
    }

    Map<String, Object> asked(String model, List<String> devices, int count) {
        Map<String, Object> request =
                members("model_id", model, "cost_model", "analytic", "devices", devices, "num_devices", count);
        request.put(
                "workload",
                members("input_length", draw.pick(100, 1000, 3500), "output_length", draw.pick(2, 50, 200)));
        request.put("slo", limits());
        request.put("serving", members("compile", draw.chance(0.7)));
        if (draw.chance(0.5)) {
            request.put("quantization", members("linear", draw.pick("DISABLED", "W8A8_DYNAMIC", "FP8")));
        }
        if (draw.chance(0.4)) {
            request.put("accounting", draw.pick("steady", "documented"));
        }
        if (draw.chance(0.5)) {
            request.put("objective", Objectives.drawn(draw, devices, draw.pick(1, 4)));
        }
        return request;
    }

    List<String> kinds(double two) {
        String first = draw.pick(DEVICES);
        String second = draw.pick(DEVICES);
        return draw.chance(two) && !first.equals(second) ? List.of(first, second) : List.of(first);
    }

    private Map<String, Object> limits() {
        Map<String, Object> limits = new LinkedHashMap<>();
        if (draw.chance(0.8)) {
            limits.put("ttft_ms", draw.pick("inf", 100, 600.5, 3000));
        }
        if (draw.chance(0.8)) {
            limits.put("tpot_ms", draw.pick(15.5, 40, 100));
        }
        return limits;
    }

    /// @param most batch size
    /// @param exhaustive batch sizes that are tried one by one
    Map<String, Object> search(int most, int exhaustive) {
        String strategy = draw.pick("exponential", "binary", "linear_exponential", "exhaustive");
        return members(
                "strategy",
                strategy,
                "batch_range",
                strategy.equals("exhaustive") ? List.of(1, exhaustive) : List.of(most));
    }

    Map<String, Object> mixedWorkload() {
        Map<String, Object> workload = draw.chance(0.5)
                ? members("input_length", draw.pick(200, 1500))
                : members("length_distribution", members("bins", bins(700)));
        if (workload.containsKey("input_length") || draw.chance(0.6)) {
            workload.put("output_distribution", members("bins", bins(120)));
        } else {
            workload.put("output_length", draw.pick(40, 300));
        }
        return workload;
    }

    private List<Map<String, Object>> bins(int width) {
        return List.of(
                members("min_tokens", 1, "max_tokens", width, "weight", draw.pick(1, 3)),
                members(
                        "min_tokens",
                        width + 1,
                        "max_tokens",
                        3 * width + draw.below(width),
                        "weight",
                        draw.pick(2, 5)));
    }
}
