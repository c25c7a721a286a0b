package io.throughputoptimizer.dashboard;

/// Requests that several tests send.
final class Questions {
    private static final String QWEN_32B = """
            "model_id": "Qwen/Qwen3-32B", "num_devices": 8, "serving": {"compile": true}""";

    static final String PREFILL = disaggregated("\"input_length\": 3500", "\"ttft_ms\": 2000", "");
    static final String PREFILL_HALF_CACHED =
            disaggregated("\"input_length\": 3500, \"prefix_cache_hit_rate\": 0.5", "\"ttft_ms\": 2000", "");
    static final String DECODE = disaggregated("\"input_length\": 3500", "\"tpot_ms\": 50", "");
    static final String MIXED_PREFILL =
            disaggregated("\"length_distribution\": {\"name\": \"builtin\"}", "\"ttft_ms\": 4000", "");
    static final String INFEASIBLE = disaggregated("\"input_length\": 3500", "\"tpot_ms\": 5", "");
    static final String THREE_DEVICES = disaggregated(
            "\"input_length\": 3500",
            "\"tpot_ms\": 50",
            ", \"devices\": [\"TEST_DEVICE\", \"ATLAS_800_A2_280T_64G\", \"ATLAS_800_A3_560T_128G_DIE\"]");

    private Questions() {}

    private static String disaggregated(String lengths, String limit, String more) {
        return """
                {%s, "mode": "disaggregation", "workload": {%s, "output_length": 1500}, "slo": {%s}%s}""".formatted(QWEN_32B, lengths, limit, more);
    }
}
