package io.throughputoptimizer.web.frozen;

import static io.throughputoptimizer.web.frozen.Draw.members;

import io.throughputoptimizer.api.WireFormat;
import java.util.List;
import java.util.Map;

/// Single passes of both cost models.
final class EstimateQuestions {
    private static final List<String> MODELS = List.of(
            "Qwen/Qwen3-8B",
            "Qwen/Qwen3-30B-A3B",
            "Qwen/Qwen3-VL-8B-Instruct",
            "Qwen/Qwen3.5-35B-A3B",
            "Qwen/Qwen3-Next-80B-A3B-Instruct",
            "zai-org/GLM-4.5-Air",
            "deepseek-ai/DeepSeek-V3",
            "deepseek-ai/DeepSeek-V3.2",
            "deepseek-ai/DeepSeek-V4-Flash",
            "MiniMaxAI/MiniMax-M2",
            "MiniMaxAI/MiniMax-M3",
            "moonshotai/Kimi-K2.5");
    private static final List<String> STORED =
            List.of("deepseek-ai/DeepSeek-V3", "MiniMaxAI/MiniMax-M2", "moonshotai/Kimi-K2.5");

    private static final List<String> DENSE = List.of("Qwen/Qwen3-8B", "Qwen/Qwen3-VL-8B-Instruct");
    private static final List<String> SHARING = List.of("deepseek-ai/DeepSeek-V3", "moonshotai/Kimi-K2.5");

    private final Draw draw;

    EstimateQuestions(long seed) {
        this.draw = new Draw(seed);
    }

    Question next() {
        Map<String, Object> request = draw.chance(0.35) ? measured() : analytic();
        return Question.estimate(WireFormat.write(request));
    }

    private Map<String, Object> analytic() {
        String model = draw.pick(MODELS);
        Map<String, Object> request = members(
                "cost_model",
                "analytic",
                "model_id",
                model,
                "device",
                draw.pick("TEST_DEVICE", "ATLAS_800_A3_560T_128G_DIE", "H100_SXM"));
        request.put("num_devices", 16);
        request.put("compile", !model.equals("Qwen/Qwen3-8B") || draw.chance(0.5));
        Map<String, Object> parallel = members("tp", draw.pick(2, 4, 8), "ep", draw.pick(4, 16));
        if (SHARING.contains(model) && draw.chance(0.5)) {
            parallel.put("dcp", 2);
        }
        request.put("parallel", parallel);
        if (STORED.contains(model) && draw.chance(0.5)) {
            request.put("quantization", members("checkpoint", true));
        } else if (draw.chance(0.5)) {
            request.put("quantization", members("linear", draw.pick("DISABLED", "FP8", "W8A8_STATIC")));
        } else if (DENSE.contains(model)) {
            request.put("quantization", members("linear", draw.pick("W4A8_DYNAMIC", "MXFP4"), "attention", "INT8"));
        }
        boolean drafts = model.contains("GLM") && draw.chance(0.5);
        if (drafts) {
            request.put("num_mtp_tokens", 1);
        }
        Map<String, Object> pass = pass(draw.chance(0.2), drafts ? 2 : 1);
        if (model.contains("VL") && "prefill".equals(pass.get("phase")) && !pass.containsKey("requests")) {
            pass.put("image", members("batch_size", 1, "height", 448, "width", 672));
        }
        request.put("pass", pass);
        return request;
    }

    private Map<String, Object> pass(boolean unequal, int decoded) {
        boolean prefill = draw.chance(0.5);
        int query = prefill ? draw.pick(64, 1000, 3500) : decoded;
        int before = draw.pick(0, 500, 4000) + (prefill ? 0 : 1);
        Map<String, Object> pass = members("phase", prefill ? "prefill" : "decode");
        if (unequal) {
            pass.put(
                    "requests",
                    List.of(
                            members("count", 2, "query_len", query, "seq_len", query + before),
                            members("count", 3, "query_len", query, "seq_len", query + 2 * before)));
        } else {
            pass.putAll(members("concurrency", draw.pick(8, 16, 64), "query_len", query, "seq_len", query + before));
        }
        return pass;
    }

    private Map<String, Object> measured() {
        boolean experts = draw.chance(0.5);
        Map<String, Object> request = members(
                "cost_model",
                "calibrated",
                "model_id",
                experts ? "Qwen/Qwen3-30B-A3B" : "Qwen/Qwen3-32B",
                "device",
                draw.pick("H100_SXM", "H200_SXM", "B200_SXM"),
                "engine",
                members("backend", draw.pick("trtllm", "vllm", "sglang")),
                "quantization",
                members("scheme", draw.pick("FP8", "FP8_BLOCK", "BF16")));
        request.put(
                "parallel",
                experts ? members("tp", 2, "dp", draw.pick(1, 2), "ep", 2) : members("tp", draw.pick(1, 2, 4)));
        if (draw.chance(0.4)) {
            request.put("band_coverage", 0.5);
        }
        request.put("pass", pass(draw.chance(0.3), 1));
        return request;
    }
}
