package io.throughputoptimizer.web;

/// Requests that run as they are, and answers to bad ones, for the API description.
final class Examples {
    static final String MIXED_PREFILL = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "devices": ["TEST_DEVICE"],
              "num_devices": 8,
              "mode": "disaggregation",
              "workload": {"length_distribution": {"name": "builtin"}, "output_length": 1500},
              "slo": {"ttft_ms": 4000},
              "serving": {"compile": true}
            }""";

    static final String DECODE = """
            {
              "model_id": "Qwen/Qwen3-8B",
              "devices": ["ATLAS_800_A2_280T_64G"],
              "num_devices": 4,
              "mode": "disaggregation",
              "workload": {"input_length": 3500, "output_length": 1500},
              "slo": {"tpot_ms": 40},
              "quantization": {"linear": "W8A8_DYNAMIC", "attention": "INT8"},
              "search": {"tp_sizes": [1, 2, 4], "batch_range": [1, 256]},
              "serving": {"compile": true}
            }""";

    static final String PREFILL_YAML = """
            model_id: Qwen/Qwen3-32B
            num_devices: 8
            mode: disaggregation
            workload:
              length_distribution:
                bins:
                  - {min_tokens: 0, max_tokens: 1000, weight: 5}
                  - {min_tokens: 1000, max_tokens: 3000, weight: 3}
                  - {min_tokens: 4000, max_tokens: 8000, weight: 2}
              output_length: 512
            slo: {ttft_ms: 2500}
            serving: {compile: true}
            """;

    static final String PREFILL_PASS = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "device": "TEST_DEVICE",
              "num_devices": 8,
              "parallel": {"tp": 8},
              "compile": true,
              "pass": {"phase": "prefill", "concurrency": 2, "query_len": 3500, "seq_len": 3500}
            }""";

    static final String MIXED_PASS = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "num_devices": 8,
              "parallel": {"tp": 4},
              "compile": true,
              "pass": {
                "phase": "prefill",
                "requests": [
                  {"count": 2, "query_len": 512, "seq_len": 512},
                  {"count": 1, "query_len": 4000, "seq_len": 4000}
                ]
              }
            }""";

    static final String DECODE_PASS_YAML = """
            model_id: meta-llama/Meta-Llama-3.1-8B
            num_devices: 2
            pass: {phase: decode, concurrency: 64, query_len: 1, seq_len: 4001}
            """;

    static final String INVALID = """
            {
              "type": "urn:throughput-optimizer:problem:invalid-request",
              "title": "Invalid request",
              "status": 400,
              "detail": "/slo/ttft_ms is -1.0: a number above 0 is needed",
              "errors": [{"pointer": "/slo/ttft_ms", "message": "is -1.0: a number above 0 is needed"}]
            }""";

    static final String QUEUE_FULL = """
            {
              "type": "urn:throughput-optimizer:problem:queue-full",
              "title": "Queue full",
              "status": 429,
              "detail": "No more optimizations can wait; try again later."
            }""";

    private Examples() {}
}
