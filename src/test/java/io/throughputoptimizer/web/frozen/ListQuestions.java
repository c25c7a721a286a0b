package io.throughputoptimizer.web.frozen;

import static io.throughputoptimizer.web.frozen.Draw.members;

import java.util.List;
import java.util.Map;

/// Requests by the roofline for lists of draft tokens, budgets, quantizations and shared caches, and for output
/// distributions.
final class ListQuestions {
    private final Draw draw;
    private final AnalyticRequests requests;

    ListQuestions(long seed) {
        this.draw = new Draw(seed);
        this.requests = new AnalyticRequests(draw);
    }

    Question next() {
        return switch (draw.below(4)) {
            case 0 -> Question.search(outputs());
            case 1 -> Question.search(shared());
            case 2 -> Question.search(drafts());
            default -> Question.search(quantizations());
        };
    }

    private Map<String, Object> outputs() {
        Map<String, Object> request =
                requests.asked(draw.pick(AnalyticRequests.DENSE), requests.kinds(0.2), draw.pick(1, 2, 4));
        boolean phases = draw.chance(0.3);
        request.put("mode", phases ? "disaggregation" : "aggregation");
        request.put("accounting", "steady");
        request.put("workload", requests.mixedWorkload());
        if (phases) {
            request.put("slo", members("tpot_ms", draw.pick(20, 60)));
        }
        request.put("search", requests.search(32, 4));
        return request;
    }

    /// Decode ranks that share a cache.
    private Map<String, Object> shared() {
        boolean latent = draw.chance(0.4);
        Map<String, Object> request = latent
                ? requests.asked("deepseek-ai/DeepSeek-R1", List.of("ATLAS_800_A3_560T_128G_DIE"), 32)
                : requests.asked(draw.pick("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B"), requests.kinds(0), 8);
        request.put("serving", members("compile", true));
        Map<String, Object> search = requests.search(8, 8);
        search.put("tp_sizes", latent ? List.of(8, 16) : List.of(2, 8));
        search.put("dcp_sizes", draw.pick(List.of(1, 2), List.of(2), List.of(1, 2, 4)));
        request.put("search", search);
        return request;
    }

    private Map<String, Object> drafts() {
        Map<String, Object> request = requests.asked(
                draw.pick("zai-org/GLM-4.5-Air", "Qwen/Qwen3.5-35B-A3B"),
                List.of(draw.pick(AnalyticRequests.DEVICES)),
                8);
        request.put(
                "serving",
                members(
                        "compile",
                        true,
                        "num_mtp_tokens",
                        draw.pick(List.of(0, 1), List.of(1, 2, 3)),
                        "mtp_acceptance_rate",
                        draw.pick(List.of(0.9, 0.5, 0.3), List.of(0.7, 0.7, 0.7))));
        Map<String, Object> search = requests.search(8, 8);
        search.put("tp_sizes", List.of(2, 4));
        search.put("max_batched_tokens", List.of(1024, 4096));
        request.put("search", search);
        return request;
    }

    private Map<String, Object> quantizations() {
        boolean experts = draw.chance(0.4);
        Map<String, Object> request = requests.asked(
                experts ? "Qwen/Qwen3-30B-A3B" : draw.pick(AnalyticRequests.DENSE),
                List.of(draw.pick(AnalyticRequests.DEVICES)),
                draw.pick(2, 4));
        Map<String, Object> quantization = members(
                "linear", draw.some(List.of("DISABLED", "W8A8_DYNAMIC", "W4A8_STATIC", "MXFP4", "W8A16_STATIC")));
        if (draw.chance(0.5)) {
            quantization.put("attention", draw.pick(List.of("DISABLED", "INT8"), List.of("FP8", "DISABLED")));
        }
        if (experts) {
            quantization.put("non_expert_linear", List.of("DISABLED", "W8A8_STATIC"));
        }
        if (draw.chance(0.3)) {
            quantization.put("mxfp4_group_size", 16);
        }
        request.put("quantization", quantization);
        Map<String, Object> search = requests.search(16, 4);
        search.put("max_batched_tokens", draw.pick(List.of(512, 8192), List.of(2048)));
        request.put("search", search);
        return request;
    }
}
