package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.throughputoptimizer.api.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.method.HandlerMethod;

/// Examples of the API description, one file each in the folder `examples`. The value of an
/// [io.swagger.v3.oas.annotations.media.ExampleObject] is the path of its file.
public final class Examples implements GlobalOperationCustomizer {
    private static final String FOLDER = "examples/";

    /// Returns the text of an example.
    ///
    /// @param name file name
    public static String text(String name) {
        try {
            return new ClassPathResource(FOLDER + name).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Operation customize(Operation operation, HandlerMethod method) {
        if (operation.getRequestBody() != null) {
            fill(operation.getRequestBody().getContent());
        }
        operation.getResponses().values().forEach(response -> fill(response.getContent()));
        return operation;
    }

    private static void fill(@Nullable Content content) {
        for (MediaType type : content == null ? Map.<String, MediaType>of().values() : content.values()) {
            if (isFile(type.getExample())) {
                type.setExample(read(type.getExample()));
            }
            Stream.ofNullable(type.getExamples())
                    .flatMap(examples -> examples.values().stream())
                    .filter(example -> isFile(example.getValue()))
                    .forEach(example -> example.setValue(read(example.getValue())));
        }
    }

    private static boolean isFile(@Nullable Object value) {
        return value instanceof String path && path.startsWith(FOLDER);
    }

    public static final String AGGREGATION = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "devices": ["H100_SXM"],
              "num_devices": 8,
              "workload": {"input_length": 3500, "output_length": 1500},
              "slo": {"ttft_ms": 2000, "tpot_ms": 50},
              "serving": {"compile": true}
            }""";

    /// Plain text response of [#AGGREGATION] to a caller who waits.
    public static final String AGGREGATION_TABLE = """

            ********************************************************************************
              ----------------------------------------------------------------------------
              Input Configuration:
                Model: Qwen/Qwen3-32B
                Quantize Linear action: W8A8_DYNAMIC
                Quantize Attention action: DISABLED
                Input Length: 3500 tokens
                Output Length: 1500 tokens
                Prefix Cache Hits: 0%
                Token Budget: 8192
                Devices: 8 H100_SXM
                TTFT Limits: 2000.0 ms
                TPOT Limits: 50.0 ms
                Assumes: BF16 KV cache; no engine in particular, by the roofline; no prefix cache; all requests alike; no speculative decoding
                Assumes: W8A8_DYNAMIC weights, the default of requests; the checkpoint has BF16
              ----------------------------------------------------------------------------
              Overall Best Configuration:
                Deployment: One instance of 8 devices
                Best Throughput: 6745.19 tokens/s
                TTFT: 1999.78 ms
                TPOT: 12.31 ms
              ----------------------------------------------------------------------------
            Top 4 Aggregation Configurations:
            +-----+----------------------+-------------------+-----------+-----------+-------------+-------------+--------------------+------------+
            | Top | Throughput (token/s) | Sustained (req/s) | TTFT (ms) | TPOT (ms) | concurrency | num_devices |      parallel      | batch_size |
            +-----+----------------------+-------------------+-----------+-----------+-------------+-------------+--------------------+------------+
            |  1  |       6745.19        |        4.52       |  1999.78  |   12.31   |      92     |      8      | TP=4 | PP=1 | DP=2 |     46     |
            |  2  |       6022.74        |        4.04       |  1996.99  |    9.63   |      66     |      8      | TP=8 | PP=1 | DP=1 |     66     |
            |  3  |       3888.01        |        2.61       |  1959.88  |   13.10   |      56     |      8      | TP=2 | PP=1 | DP=4 |     14     |
            |  4  |       1725.34        |        1.16       |  1994.54  |   17.22   |      32     |      8      | TP=1 | PP=1 | DP=8 |     4      |
            +-----+----------------------+-------------------+-----------+-----------+-------------+-------------+--------------------+------------+
            ********************************************************************************
            """;

    public static final String MIXED_PREFILL = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "devices": ["H100_SXM"],
              "num_devices": 8,
              "mode": "disaggregation",
              "workload": {"length_distribution": {"name": "builtin"}, "output_length": 1500},
              "slo": {"ttft_ms": 4000},
              "serving": {"compile": true}
            }""";

    public static final String DECODE = """
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

    public static final String CAPACITY = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "devices": ["H100_SXM"],
              "num_devices": 64,
              "mode": "capacity",
              "demand": {"requests_per_s": 2.5},
              "headroom": 0.2,
              "instance_sizes": [4, 8],
              "workload": {"input_length": 3500, "output_length": 1500},
              "slo": {"ttft_ms": 2000, "tpot_ms": 50},
              "serving": {"compile": true}
            }""";

    public static final String PD_RATIO = """
            {
              "model_id": "deepseek-ai/DeepSeek-V3.1",
              "devices": ["H100_SXM"],
              "num_devices": 128,
              "mode": "pd_ratio",
              "pd_ratio": {"prefill_devices_per_instance": 16, "decode_devices_per_instance": 16},
              "workload": {"input_length": 3500, "output_length": 1500},
              "serving": {"compile": true}
            }""";

    public static final String SEVERAL_DEVICES = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "devices": ["ATLAS_800_A2_280T_64G", "ATLAS_800_A3_560T_128G_DIE"],
              "num_devices": 8,
              "workload": {"input_length": 3500, "output_length": 1500, "prefix_cache_hit_rate": 0.5},
              "slo": {"ttft_ms": 20000, "tpot_ms": 50},
              "serving": {"compile": true}
            }""";

    public static final String EXPERTS = """
            {
              "model_id": "Qwen/Qwen3-30B-A3B",
              "devices": ["H100_SXM"],
              "num_devices": 8,
              "workload": {"input_length": 3500, "output_length": 1500},
              "slo": {"tpot_ms": 50},
              "search": {"tp_sizes": [], "ep_sizes": [1, 2, 4, 8], "moe_dp_sizes": []},
              "serving": {"compile": true}
            }""";

    public static final String MIXED_LENGTHS = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "devices": ["H100_SXM"],
              "num_devices": 8,
              "workload": {
                "length_distribution": {
                  "bins": [
                    {"min_tokens": 0, "max_tokens": 1000, "weight": 0.7},
                    {"min_tokens": 1000, "max_tokens": 8000, "weight": 0.3}
                  ]
                },
                "output_length": 500
              },
              "slo": {"tpot_ms": 60},
              "serving": {"compile": true},
              "accounting": "steady"
            }""";

    public static final String INLINE_MODEL = """
            {
              "model_id": "my/model",
              "model_config": {
                "model_type": "qwen3",
                "hidden_size": 2048,
                "num_hidden_layers": 24,
                "num_attention_heads": 16,
                "num_key_value_heads": 8,
                "head_dim": 128,
                "intermediate_size": 6144,
                "vocab_size": 151936,
                "max_position_embeddings": 40960,
                "rms_norm_eps": 1e-06
              },
              "devices": ["H100_SXM"],
              "num_devices": 2,
              "workload": {"input_length": 1000, "output_length": 200},
              "slo": {"ttft_ms": 1000, "tpot_ms": 20}
            }""";

    public static final String INLINE_DEVICE = """
            {
              "model_id": "Qwen/Qwen3-8B",
              "devices": ["MY_DEVICE"],
              "device_profiles": [
                {
                  "name": "MY_DEVICE",
                  "vendor": "me",
                  "compute": {
                    "matrix_tflops": {"fp32": 80, "bf16": 320, "fp16": 320, "int8": 640},
                    "general_tflops": {"fp32": 5, "bf16": 10, "fp16": 10},
                    "efficiency": 0.7
                  },
                  "memory": {"capacity_gb": 96, "bandwidth_tb_per_s": 2, "efficiency": 0.6},
                  "static_costs_us": {"matrix": 5, "general": 2, "communication": 0},
                  "interconnect": {
                    "grid": [8],
                    "links": [{"bandwidth_gb_per_s": 200, "latency_us": 1, "efficiency": 0.7, "topology": "FULL_MESH"}]
                  }
                }
              ],
              "num_devices": 4,
              "workload": {"input_length": 3500, "output_length": 1500},
              "slo": {"tpot_ms": 30}
            }""";

    public static final String OWN_DISTRIBUTION = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "devices": ["H100_SXM"],
              "num_devices": 8,
              "mode": "disaggregation",
              "workload": {
                "length_distribution": {
                  "bins": [
                    {"min_tokens": 0, "max_tokens": 1000, "weight": 5},
                    {"min_tokens": 1000, "max_tokens": 3000, "weight": 3},
                    {"min_tokens": 4000, "max_tokens": 8000, "weight": 2}
                  ]
                },
                "output_length": 512
              },
              "slo": {"ttft_ms": 2500},
              "serving": {"compile": true}
            }""";

    public static final String PREFILL_PASS = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "device": "H100_SXM",
              "num_devices": 8,
              "parallel": {"tp": 8},
              "compile": true,
              "pass": {"phase": "prefill", "concurrency": 2, "query_len": 3500, "seq_len": 3500}
            }""";

    public static final String CLOSED_LOOP = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "device": "H100_SXM",
              "engine": {"backend": "vllm"},
              "quantization": {"scheme": "FP8"},
              "parallel": {"tp": 2},
              "num_devices": 4,
              "workload": {"input_length": 3500, "output_length": 1500},
              "traffic": {"concurrency": 64, "length_ratio": 0.8}
            }""";

    public static final String OPEN_LOOP = """
            {
              "model_id": "deepseek-ai/DeepSeek-R1",
              "device": "B200_SXM",
              "engine": {"backend": "trtllm"},
              "quantization": {"scheme": "NVFP4_EXPERTS"},
              "parallel": {"tp": 8},
              "workload": {"input_length": 1024, "output_length": 1024},
              "traffic": {"request_rate": 2, "requests": 300},
              "percentiles": [95]
            }""";

    public static final String CALIBRATED_PASS = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "device": "H100_SXM",
              "cost_model": "calibrated",
              "engine": {"backend": "vllm", "kv_cache": "fp8"},
              "quantization": {"scheme": "FP8"},
              "parallel": {"tp": 2},
              "pass": {"phase": "decode", "concurrency": 64, "query_len": 1, "seq_len": 4250}
            }""";

    public static final String MIXED_PASS = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "device": "H100_SXM",
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

    public static final String DECODE_PASS = """
            {
              "model_id": "meta-llama/Meta-Llama-3.1-8B",
              "device": "H100_SXM",
              "num_devices": 2,
              "pass": {"phase": "decode", "concurrency": 64, "query_len": 1, "seq_len": 4001}
            }""";

    public static final String MEASUREMENTS = """
            {
              "model_id": "Qwen/Qwen3-32B",
              "device": "H100_SXM",
              "quantization": {"scheme": "FP8"},
              "engine": {"backend": "vllm", "version": "0.11.0"},
              "rows": [
                {"parallel": {"tp": 2}, "concurrency": 8, "input_length": 3500, "output_length": 1500, "tpot_ms": 14.1, "ttft_ms": 271},
                {"parallel": {"tp": 2}, "concurrency": 40, "input_length": 3500, "output_length": 1500, "tpot_ms": 21.9, "ttft_ms": 402},
                {"parallel": {"tp": 2}, "concurrency": 82, "input_length": 3500, "output_length": 1500, "tpot_ms": 31.6, "ttft_ms": 702}
              ]
            }""";

    public static final String MEASURED_ON_ASCEND = """
            {
              "model_id": "Qwen/Qwen3-8B",
              "device": "ATLAS_800_A2_376T_64G",
              "engine": {"backend": "vllm-ascend", "version": "0.11.0"},
              "rows": [
                {"parallel": {"tp": 2}, "request_rate": 1.5, "input_length": 3500, "output_length": 1500, "tpot_ms": 21, "ttft_ms": 640}
              ]
            }""";

    public static final String RESULT_FILE = """
            {"backend": "openai", "model_id": "Qwen/Qwen3-32B", "num_prompts": 820, "request_rate": "inf", "max_concurrency": 82, "duration": 480.1, "completed": 820, "failed": 0, "total_input_tokens": 2870000, "total_output_tokens": 1230000, "request_throughput": 1.708, "output_throughput": 2561.9, "mean_ttft_ms": 702.0, "mean_tpot_ms": 31.6}
            """;

    public static final String RESULT_REPORT = """
            version: "0.2"
            run: {uid: "1"}
            scenario:
              stack:
                - metadata: {label: vllm-svc-0}
                  standardized:
                    kind: inference_engine
                    tool: vllm
                    tool_version: 0.11.0
                    role: replica
                    replicas: 1
                    model: {name: Qwen/Qwen3-32B}
                    accelerator: {model: NVIDIA-H100-80GB-HBM3, count: 2, parallelism: {tp: 2, dp: 1, ep: 1, pp: 1}}
              load:
                standardized: {tool: inference-perf, concurrency: 82}
            results:
              request_performance:
                aggregate:
                  requests: {total: 820, failures: 0, input_length: {units: count, mean: 3500.0}, output_length: {units: count, mean: 1500.0}}
                  latency:
                    time_to_first_token: {units: s, mean: 0.702}
                    time_per_output_token: {units: s/token, mean: 0.0316}
                  throughput:
                    output_token_rate: {units: tokens/s, mean: 2561.9}
            """;

    public static final String RESULT_VALUES = """
            Metric,avg,min,max,p50,std
            Inter Token Latency (ms),31.60,30.11,33.02,31.58,0.41
            Time to First Token (ms),702.00,211.90,2410.44,640.10,120.30
            Request Latency (ms),48070.40,47000.00,49910.00,48011.00,410.20
            Output Sequence Length (tokens),1500.00,1500.00,1500.00,1500.00,0.00
            Input Sequence Length (tokens),3500.00,3500.00,3500.00,3500.00,0.00

            Metric,Value
            Output Token Throughput (tokens/sec),2561.90
            Request Throughput (requests/sec),1.71
            """;

    public static final String TRACE_VALUES = """
            timestamp,input_tokens,output_tokens
            2026-01-05T09:00:00,812,230
            2026-01-05T09:00:01,3120,95
            2026-01-05T09:00:01,790,410
            2026-01-05T09:00:03,14200,512
            """;

    public static final String ENGINE_LOG = """
            (APIServer pid=1) INFO 11-28 05:00:01 [utils.py:233] non-default args: {'model': 'Qwen/Qwen3-8B', 'max_model_len': 8192, 'gpu_memory_utilization': 0.95}
            (EngineCore pid=90) INFO 11-28 05:00:09 [core.py:105] Initializing a V1 LLM engine (v0.19.0) with config: model='Qwen/Qwen3-8B', dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1, enforce_eager=False, kv_cache_dtype=auto
            (EngineCore pid=90) INFO 11-28 05:00:31 [gpu_model_runner.py:4837] Model loading took 15.27 GiB memory and 14.2 seconds
            (EngineCore pid=90) INFO 11-28 05:00:58 [gpu_worker.py:436] Available KV cache memory: 57.5 GiB
            (EngineCore pid=90) INFO 11-28 05:00:58 [kv_cache_utils.py:1319] GPU KV cache size: 418,688 tokens
            (EngineCore pid=90) INFO 11-28 05:00:58 [kv_cache_utils.py:1324] Maximum concurrency for 8,192 tokens per request: 51.11x
            """;

    public static final String TRACE_LINES = """
            {"input_tokens": 812, "output_tokens": 230}
            {"input_tokens": 3120, "output_tokens": 95}
            """;

    public static final String TRACE_TABS = "Request tokens\tResponse tokens\n812\t230\n3120\t95\n";

    public static final String TRACE_BENCHMARK =
            "{\"input_lens\": [812, 3120], \"output_lens\": [230, 95], \"errors\": [\"\", \"\"]}";

    public static final String ZIPPED_SWEEP = """
            {
              "base": {
                "model_id": "Qwen/Qwen3-8B",
                "devices": ["H100_SXM"],
                "workload": {"input_length": 1000, "output_length": 100},
                "slo": {"ttft_ms": 2000, "tpot_ms": 50}
              },
              "axes": [
                {"pointer": "/workload/input_length", "values": [1000, 4000]},
                {"pointer": "/workload/output_length", "values": [100, 500]}
              ],
              "zip": [["/workload/input_length", "/workload/output_length"]]
            }""";

    public static final String SWEEP = """
            {
              "base": {
                "model_id": "Qwen/Qwen3-32B",
                "devices": ["H100_SXM"],
                "num_devices": 8,
                "workload": {"input_length": 4000, "output_length": 500},
                "slo": {"ttft_ms": 4000, "tpot_ms": 50}
              },
              "axes": [
                {"pointer": "/num_devices", "values": [4, 8]},
                {"pointer": "/workload/input_length", "values": {"from": 1000, "to": 8000, "steps": 4, "scale": "log"}},
                {"label": "model", "merge": [{"model_id": "Qwen/Qwen3-32B"}, {"model_id": "Qwen/Qwen3-8B"}]}
              ]
            }""";

    public static final String PORTFOLIO = """
            {
              "stock": [
                {"device": "H100_SXM", "count": 32, "price_per_hour": 2.5, "devices_per_node": 8},
                {"device": "B200_SXM", "count": 8, "price_per_hour": 6, "devices_per_node": 8}
              ],
              "services": [
                {
                  "name": "chat",
                  "weight": 2,
                  "min_replicas": 2,
                  "demand_by_hour": {"requests_per_s": [1, 1, 1, 1, 1, 1, 2, 3, 5, 6, 6, 6, 6, 6, 6, 6, 5, 5, 4, 4, 3, 2, 2, 1]},
                  "request": {
                    "model_id": "Qwen/Qwen3-32B",
                    "headroom": 0.2,
                    "instance_sizes": [2, 4, 8],
                    "workload": {"input_length": 3500, "output_length": 1500},
                    "slo": {"ttft_ms": 2000, "tpot_ms": 50},
                    "serving": {"compile": true}
                  }
                },
                {
                  "name": "summaries",
                  "may_refuse": 0.1,
                  "devices": ["H100_SXM"],
                  "request": {
                    "model_id": "Qwen/Qwen3-8B",
                    "demand": {"requests_per_s": 6},
                    "instance_sizes": [1, 2],
                    "workload": {"input_length": 6000, "output_length": 300},
                    "slo": {"tpot_ms": 100},
                    "serving": {"compile": true}
                  }
                }
              ]
            }""";

    private Examples() {}
}
