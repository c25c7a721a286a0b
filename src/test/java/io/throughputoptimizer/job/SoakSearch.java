package io.throughputoptimizer.job;

import java.util.List;

/// What [Soak] asks again and again, in variants of one number each: milliseconds of work, tenths of a second, or
/// seconds.
enum SoakSearch {
    SHORT(60, """
                {"model_id": "Qwen/Qwen3-32B", "devices": ["TEST_DEVICE"], "num_devices": 8, "serving": {"compile": true},
                 "workload": {"input_length": 3%03d, "output_length": 1500}, "slo": {"tpot_ms": 50}}"""),
    CALIBRATED(20, """
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
                 "workload": {"input_length": 3%03d, "output_length": 1500}, "engine": {"backend": "vllm"},
                 "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": 2000, "tpot_ms": 30}}"""),
    EXPLAINED(10, """
                {"model_id": "Qwen/Qwen3-32B", "devices": ["TEST_DEVICE"], "num_devices": 8, "serving": {"compile": true},
                 "workload": {"input_length": 3%03d, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
                 "explain": true}"""),
    LONG(5, """
                {"model_id": "meta-llama/Meta-Llama-3.1-405B", "devices": ["TEST_DEVICE"], "num_devices": 1,
                 "mode": "aggregation", "workload": {"input_length": 20%03d, "output_length": 1500},
                 "slo": {"ttft_ms": 1e9, "tpot_ms": 1e9},
                 "search": {"tp_sizes": [1], "strategy": "exhaustive", "batch_range": [1, 8000]}}""");

    /// Hours of work, to be cancelled.
    static final String ENDLESS = LONG.request(0).replace("8000", "500000");

    /// What is refused.
    static final List<String> BAD = List.of(
            "",
            "{",
            "[]",
            "{\"model_id\": \"Nobody/None\", \"num_devices\": 1}",
            SHORT.request(0).replace("TEST_DEVICE", "NO_DEVICE"),
            SHORT.request(0).replace("3000", "-1"),
            "[".repeat(5_000),
            ENDLESS.replace("500000", "1e300"));

    private final int variants;
    private final String text;

    SoakSearch(int variants, String text) {
        this.variants = variants;
        this.text = text;
    }

    int variants() {
        return variants;
    }

    String request(int number) {
        return text.formatted(number % variants);
    }

    static String simulation(int number) {
        return """
                {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "engine": {"backend": "vllm"},
                 "quantization": {"scheme": "FP8"}, "parallel": {"tp": 2}, "traffic": {"concurrency": 32},
                 "workload": {"input_length": 2%03d, "output_length": 500}}""".formatted(number % 500);
    }
}
