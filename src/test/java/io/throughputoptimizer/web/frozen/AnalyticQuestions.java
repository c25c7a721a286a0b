package io.throughputoptimizer.web.frozen;

import static io.throughputoptimizer.web.frozen.Draw.members;

import java.util.List;
import java.util.Map;

/// Requests for small searches by the roofline, of what `frozen-answers.txt` does not ask.
final class AnalyticQuestions {
    /// Those that came after the ones of `frozen-answers.txt`, with the devices that hold them.
    private record Family(String model, int least, boolean drafts, boolean checkpoint) {}

    private static final List<Family> FAMILIES = List.of(
            new Family("Qwen/Qwen3.5-27B", 2, true, false),
            new Family("Qwen/Qwen3.5-35B-A3B", 2, true, false),
            new Family("Qwen/Qwen3.6-35B-A3B", 2, true, false),
            new Family("Qwen/Qwen3.5-122B-A10B", 4, true, false),
            new Family("Qwen/Qwen3-Next-80B-A3B-Instruct", 4, false, false),
            new Family("zai-org/GLM-4.5-Air", 4, true, false),
            new Family("zai-org/GLM-4.7", 16, true, false),
            new Family("deepseek-ai/DeepSeek-V4-Flash", 8, true, false),
            new Family("deepseek-ai/DeepSeek-V4-Pro", 32, true, false),
            new Family("MiniMaxAI/MiniMax-M3", 16, false, false),
            new Family("MiniMaxAI/MiniMax-M2.5", 8, false, true),
            new Family("moonshotai/Kimi-K2.5", 32, false, true),
            new Family("moonshotai/Kimi-K2-Instruct", 32, false, true),
            new Family("deepseek-ai/DeepSeek-R1", 32, true, true),
            new Family("deepseek-ai/DeepSeek-V3.2", 32, false, true),
            new Family("zai-org/GLM-5.1", 32, true, false));

    private final Draw draw;
    private final AnalyticRequests requests;

    AnalyticQuestions(long seed) {
        this.draw = new Draw(seed);
        this.requests = new AnalyticRequests(draw);
    }

    /// Instances of several sizes, on one or two kinds of device, with and without a transfer.
    Question pairs() {
        return Question.search(pairsRequest(draw.pick(8, 16), 3));
    }

    private Map<String, Object> pairsRequest(int devices, int mostBatch) {
        List<String> kinds = requests.kinds(0.5);
        Map<String, Object> request = requests.asked(draw.pick(AnalyticRequests.DENSE), kinds, devices);
        request.put("mode", "pd_ratio");
        request.put("search", requests.search(8 * mostBatch, 2));
        Map<String, Object> pair = members(
                "prefill_devices_per_instance",
                draw.pick(List.of(2), List.of(1, 2), List.of(4, 2)),
                "decode_devices_per_instance",
                draw.pick(List.of(4), List.of(1, 4), List.of(2, 4)));
        if (kinds.size() > 1) {
            pair.put("prefill_devices", draw.chance(0.5) ? kinds.getFirst() : kinds);
            pair.put("decode_devices", kinds.subList(1, 2));
        }
        if (draw.chance(0.6)) {
            pair.put("kv_transfer", transfer());
        }
        request.put("pd_ratio", pair);
        return request;
    }

    private Map<String, Object> transfer() {
        return draw.chance(0.5)
                ? members("gb_per_s", draw.pick(0.5, 5, 25))
                : members("gb_per_s", draw.pick(5, 100.5), "latency_ms", draw.pick(1, 5.5));
    }

    Question capacity() {
        Map<String, Object> request = capacityRequest();
        request.putIfAbsent("accounting", "documented");
        return Question.search(request);
    }

    /// Of a load that lasts, in every mode that has such rows; capacity by default.
    Question steady() {
        Map<String, Object> request = switch (draw.below(3)) {
            case 0 -> capacityRequest();
            case 1 -> pairsRequest(8, 1);
            default -> requests.asked(draw.pick(AnalyticRequests.DENSE), requests.kinds(0.2), draw.pick(1, 2, 4));
        };
        if (!"capacity".equals(request.get("mode"))) {
            request.put("search", requests.search(32, 4));
            request.put("explain", draw.chance(0.3));
            if (draw.chance(0.4)) {
                request.put("workload", requests.mixedWorkload());
            }
            request.put("accounting", "steady");
        } else {
            request.remove("accounting");
        }
        return Question.search(request);
    }

    private Map<String, Object> capacityRequest() {
        boolean mixed = draw.chance(0.25);
        List<String> kinds = requests.kinds(0.25);
        Map<String, Object> request = requests.asked(draw.pick(AnalyticRequests.DENSE), kinds, draw.pick(4, 8, 16));
        request.put("mode", "capacity");
        if (request.containsKey("objective")) {
            request.put("objective", Objectives.drawn(draw, kinds, 1));
        }
        if (mixed) {
            request.put("accounting", "steady");
            request.put("workload", requests.mixedWorkload());
        }
        request.put("search", requests.search(32, 4));
        request.put(
                "demand",
                switch (draw.below(3)) {
                    case 0 -> members("requests_per_s", draw.pick(0.3, 2.5, 12));
                    case 1 -> members("tokens_per_s", draw.pick(40, 250.5, 4000));
                    default -> members("concurrency", draw.pick(3, 20, 90));
                });
        if (draw.chance(0.5)) {
            request.put("headroom", draw.pick(0.1, 0.25));
        }
        if (draw.chance(0.8)) {
            request.put("instance_sizes", draw.pick(List.of(1, 2), List.of(2, 4), List.of(4)));
        }
        if (!mixed && draw.chance(0.5)) {
            request.put("kv_transfer", transfer());
        }
        if (draw.chance(0.25)) {
            request.put("quantization", members("linear", List.of("W8A8_STATIC", "FP8")));
        }
        return request;
    }

    /// Of each mode, why.
    Question explained() {
        return Question.explained(explainedRequest());
    }

    /// Limits that nothing keeps, and what is nearest.
    Question hopeless() {
        Map<String, Object> request = explainedRequest();
        boolean phases = request.containsValue("disaggregation");
        request.put(
                "slo",
                phases
                        ? members(draw.pick("ttft_ms", "tpot_ms"), draw.pick(0.5, 2.5))
                        : members("ttft_ms", draw.pick(2, 20.5, 3000), "tpot_ms", draw.pick(0.5, 2, 4.5)));
        return Question.explained(request);
    }

    private Map<String, Object> explainedRequest() {
        Map<String, Object> request = switch (draw.below(4)) {
            case 0 -> pairsRequest(8, 1);
            case 1 -> {
                Map<String, Object> ratio = requests.asked(draw.pick(AnalyticRequests.DENSE), requests.kinds(0), 8);
                ratio.put("mode", "pd_ratio");
                ratio.put(
                        "pd_ratio",
                        members("prefill_devices_per_instance", draw.pick(1, 2), "decode_devices_per_instance", 4));
                yield ratio;
            }
            case 2 -> {
                Map<String, Object> phases =
                        requests.asked(draw.pick(AnalyticRequests.DENSE), requests.kinds(0.2), draw.pick(1, 2, 4));
                phases.put("mode", "disaggregation");
                phases.put("slo", draw.chance(0.5) ? members("ttft_ms", draw.pick(100, 800)) : members("tpot_ms", 30));
                phases.remove("objective");
                yield phases;
            }
            default -> requests.asked(draw.pick(AnalyticRequests.DENSE), requests.kinds(0.2), draw.pick(1, 2, 4));
        };
        Map<String, Object> search = requests.search(8, 2);
        if (draw.chance(0.2)) {
            search.put("max_batched_tokens", List.of(1024, 8192));
            request.put("quantization", members("linear", List.of("DISABLED", "W8A8_STATIC")));
        }
        request.put("search", search);
        return request;
    }

    /// A newer family, some as their checkpoint is quantized.
    Question families() {
        Family family = draw.pick(FAMILIES);
        String device = draw.pick(AnalyticRequests.DEVICES);
        int most = device.equals("ATLAS_350_425T_84G") ? 16 : 64;
        Map<String, Object> request = requests.asked(family.model, List.of(device), Math.min(most, 2 * family.least));
        request.put("mode", draw.pick("aggregation", "aggregation", "disaggregation"));
        if (request.containsValue("disaggregation")) {
            request.put("slo", members("tpot_ms", draw.pick(50, 150)));
            request.remove("objective");
        }
        Map<String, Object> serving = members("compile", true);
        if (family.drafts && draw.chance(0.3)) {
            serving.put("num_mtp_tokens", 1);
        }
        request.put("serving", serving);
        request.remove("quantization");
        if (family.checkpoint && draw.chance(0.7)) {
            request.put("quantization", members("checkpoint", true));
        } else if (draw.chance(0.4)) {
            request.put("quantization", members("linear", draw.pick("DISABLED", "FP8", "W8A8_STATIC")));
        }
        Map<String, Object> search = requests.search(16, 8);
        search.put("tp_sizes", List.of(Math.min(8, family.least)));
        request.put("search", search);
        return Question.search(request);
    }
}
