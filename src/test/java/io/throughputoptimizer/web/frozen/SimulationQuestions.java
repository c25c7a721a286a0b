package io.throughputoptimizer.web.frozen;

import static io.throughputoptimizer.web.frozen.Draw.members;

import io.throughputoptimizer.api.WireFormat;
import java.util.List;
import java.util.Map;

/// Single configurations under a closed or an open load.
final class SimulationQuestions {
    private final Draw draw;

    SimulationQuestions(long seed) {
        this.draw = new Draw(seed);
    }

    Question next() {
        boolean experts = draw.chance(0.3);
        int dp = experts ? draw.pick(1, 2) : 1;
        Map<String, Object> request = members(
                "model_id",
                experts ? "Qwen/Qwen3-30B-A3B" : draw.pick("Qwen/Qwen3-8B", "Qwen/Qwen3-32B"),
                "device",
                draw.pick("H100_SXM", "H200_SXM", "B200_SXM"),
                "engine",
                engine(),
                "quantization",
                members("scheme", draw.pick("FP8", "FP8_BLOCK")),
                "parallel",
                experts ? members("tp", 2, "dp", dp, "ep", 2) : members("tp", draw.pick(1, 2)),
                "workload",
                members("input_length", draw.pick(100, 900, 3000), "output_length", draw.pick(10, 60)),
                "traffic",
                draw.chance(0.3) ? rate() : loop(dp));
        if (draw.chance(0.3)) {
            request.put("num_devices", 8);
        }
        if (draw.chance(0.5)) {
            request.put("percentiles", draw.pick(List.of(95), List.of(75, 97.5)));
        }
        if (draw.chance(0.5)) {
            request.put("band_coverage", 0.5);
        }
        return Question.simulation(WireFormat.write(request));
    }

    private Map<String, Object> engine() {
        Map<String, Object> engine = members("backend", draw.pick("trtllm", "vllm", "sglang"));
        if (draw.chance(0.3)) {
            engine.put("policy", draw.pick("mixed", "alternate"));
        }
        if (draw.chance(0.3)) {
            engine.put("max_batched_tokens", draw.pick(256, 2048));
        }
        if (draw.chance(0.2)) {
            engine.put("max_num_seqs", draw.pick(2, 6));
        }
        return engine;
    }

    private Map<String, Object> rate() {
        return members(
                "request_rate", draw.pick(0.5, 3.5), "seed", draw.pick(1, 99), "random_range_ratio", draw.pick(1, 0.5));
    }

    private Map<String, Object> loop(int dp) {
        Map<String, Object> loop = members("concurrency", 8 * dp * draw.pick(1, 2), "waves", draw.pick(2, 3.5));
        if (draw.chance(0.5)) {
            loop.put("random_range_ratio", draw.pick(0.9, 0.3));
        }
        if (draw.chance(0.3)) {
            loop.put("think_ms", draw.pick(15, 300.5));
        }
        if (draw.chance(0.3)) {
            loop.put("staggered", true);
        }
        return loop;
    }
}
