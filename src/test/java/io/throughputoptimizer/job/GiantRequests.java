package io.throughputoptimizer.job;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Small requests that ask for more than any machine has, each in another way.
final class GiantRequests {
    private static final int MOST_DIVISORS = 720_720;

    private final JsonNode huge;
    private final JsonNode wide;

    /// @param device a device of the catalogue, as it is answered
    GiantRequests(JsonNode device) {
        ObjectNode roomy = ((ObjectNode) device.deepCopy()).put("name", "HUGE");
        ((ObjectNode) roomy.required("memory")).put("capacity_gb", 100_000_000);
        this.huge = roomy;
        ObjectNode many = ((ObjectNode) device.deepCopy()).put("name", "WIDE");
        ((ObjectNode) many.required("interconnect"))
                .set("grid", JsonMapper.shared().createArrayNode().add(125_000).add(8));
        this.wide = many;
    }

    /// Searches by what is giant about them.
    Map<String, String> searches() {
        String sizes = divisors();
        return Map.ofEntries(
                Map.entry("mixed batch in prefill", mixed("disaggregation", "[1000000, 1000000]", "")),
                Map.entry("mixed batch in aggregation", mixed("aggregation", "[1000000, 1000000]", "")),
                Map.entry(
                        "mixed batch, a token a pass",
                        mixed("aggregation", "[524288, 524288]", ", \"max_batched_tokens\": 1")),
                Map.entry("mixed batch of a thousand bins", manyBins()),
                Map.entry(
                        "long prompts, a token a chunk",
                        fixed(
                                "Qwen/Qwen3-8B",
                                "aggregation",
                                "HUGE",
                                8,
                                "{\"tp_sizes\": [1], \"max_batched_tokens\": 1, \"batch_range\": [524288, 524288]}")),
                Map.entry(
                        "requests that decode",
                        fixed(
                                "Qwen/Qwen3-8B",
                                "aggregation",
                                "HUGE",
                                256,
                                "{\"tp_sizes\": [1], \"max_batched_tokens\": 999999, \"batch_range\": [524288, 524288]}")),
                Map.entry(
                        "every batch size",
                        fixed(
                                "Qwen/Qwen3-8B",
                                "disaggregation",
                                "HUGE",
                                1,
                                "{\"strategy\": \"exhaustive\", \"batch_range\": [1, 1000000]}")),
                Map.entry(
                        "every row",
                        fixed(
                                        "Qwen/Qwen3-8B",
                                        "disaggregation",
                                        "HUGE",
                                        1,
                                        "{\"strategy\": \"exhaustive\", \"batch_range\": [1, 1000000]}")
                                .replace("\"input_length\": 1000000", "\"input_length\": 10")
                                .replaceFirst("\\{", "{\"dump_original_results\": true, ")),
                Map.entry(
                        "a million devices",
                        fixed("Qwen/Qwen3-8B", "disaggregation", "WIDE", 1_000_000, "{\"tp_sizes\": []}")),
                Map.entry(
                        "every layout",
                        fixed(
                                "Qwen/Qwen3-235B-A22B",
                                "aggregation",
                                "WIDE",
                                MOST_DIVISORS,
                                "{\"tp_sizes\": [1, 2, 4, 8, 16], \"ep_sizes\": %s, \"moe_dp_sizes\": %s,"
                                                .formatted(sizes, sizes)
                                        + " \"strategy\": \"binary\", \"batch_range\": [1, 1]}")),
                Map.entry("every pair of layouts", pdRatio(sizes)),
                Map.entry("images", images()));
    }

    /// Passes to price.
    List<String> estimates() {
        return List.of("""
                {"model_id": "Qwen/Qwen3-8B", "device": "TEST_DEVICE", "allow_beyond_context": true, "pass": {"phase": "prefill",
                 "requests": [{"count": 10000000, "query_len": 10000000, "seq_len": 10000000}]}}""", """
                {"model_id": "deepseek-ai/DeepSeek-V3.2", "device": "TEST_DEVICE", "compile": true, "allow_beyond_context": true,
                 "pass": {"phase": "decode", "concurrency": 10000000, "query_len": 1, "seq_len": 10000000}}""", """
                {"model_id": "Qwen/Qwen3-VL-8B-Instruct", "device": "TEST_DEVICE", "allow_beyond_context": true,
                 "pass": {"phase": "prefill", "concurrency": 10000000,
                 "query_len": 10000000, "seq_len": 10000000, "image": {"height": 1000000, "width": 1000000}}}""", """
                {"model_id": "Qwen/Qwen3-235B-A22B", "device": "WIDE", "device_profile": %s, "num_devices": 1000000,
                 "parallel": {"tp": 1, "ep": 64, "moe_dp": 15625}, "compile": true,
                 "pass": {"phase": "prefill", "concurrency": 10000000, "query_len": 1, "seq_len": 1}}""".formatted(wide));
    }

    private String mixed(String mode, String batchRange, String more) {
        String limits = mode.equals("aggregation") ? "" : "\"ttft_ms\": 1e9";
        return """
                {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 1, "mode": "%s",
                 "accounting": "steady", "allow_beyond_context": true,
                 "workload": {"length_distribution": {"name": "builtin"}, "output_length": 100},
                 "slo": {%s}, "search": {"batch_range": %s%s}}""".formatted(mode, limits, batchRange, more);
    }

    private String manyBins() {
        String bins = IntStream.range(0, 1000)
                .mapToObj(bin ->
                        "{\"min_tokens\": %d, \"max_tokens\": %d, \"weight\": %d}".formatted(bin, bin + 1, 1 + bin % 7))
                .collect(Collectors.joining(", ", "{\"bins\": [", "]}"));
        return mixed("disaggregation", "[1, 500000]", ", \"strategy\": \"exhaustive\", \"max_batched_tokens\": 1000000")
                .replace("{\"name\": \"builtin\"}", bins);
    }

    private String fixed(String model, String mode, String device, int devices, String search) {
        return """
                {"model_id": "%s", "devices": ["%s"], "device_profiles": [%s], "num_devices": %d, "mode": "%s",
                 "allow_beyond_context": true, "workload": {"input_length": 1000000, "output_length": 1000000},
                 "slo": {"ttft_ms": 1e308, "tpot_ms": 1e308}, "search": %s}""".formatted(model, device, device.equals("HUGE") ? huge : wide, devices, mode, search);
    }

    private String pdRatio(String sizes) {
        return fixed(
                        "Qwen/Qwen3-235B-A22B",
                        "pd_ratio",
                        "WIDE",
                        1_000_000,
                        "{\"tp_sizes\": [1, 2, 4], \"ep_sizes\": %s, \"moe_dp_sizes\": [1, 2, 3, 4, 5, 6, 8],"
                                        .formatted(sizes)
                                + " \"batch_range\": [1, 1]}")
                .replace(
                        "\"slo\"",
                        "\"pd_ratio\": {\"prefill_devices_per_instance\": 720720,"
                                + " \"decode_devices_per_instance\": 720720}, \"slo\"")
                .replace("\"input_length\": 1000000", "\"input_length\": 10");
    }

    private String images() {
        return fixed("Qwen/Qwen3-VL-8B-Instruct", "disaggregation", "HUGE", 1, "{\"batch_range\": [1000000, 1000000]}")
                .replace(
                        "\"output_length\"", "\"image\": {\"height\": 1000000, \"width\": 1000000}, \"output_length\"");
    }

    /// Sizes that divide as many devices as have the most divisors.
    private static String divisors() {
        return IntStream.rangeClosed(1, MOST_DIVISORS)
                .filter(size -> MOST_DIVISORS % size == 0)
                .boxed()
                .toList()
                .toString();
    }
}
