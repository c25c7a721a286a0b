package io.throughputoptimizer.web;

import static io.throughputoptimizer.web.HostileDocuments.pick;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes questions of a few kilobytes that multiply: lists of sizes as long as they may be, full of divisors of the
/// number of devices, of neighbours, or of one entry again and again, several such in one question.
final class HostileSizes {
    /// With 240 divisors, more than any smaller number.
    private static final int MUCH_DIVIDED = 720_720;

    private static final int LONGEST_LIST = 1_000;
    private static final List<Integer> DEVICES = List.of(1, 64, 512, 4_096, MUCH_DIVIDED, 1_000_000);
    private static final List<String> MODES = List.of("aggregation", "disaggregation", "pd_ratio", "capacity");
    private static final List<String> SIZES = List.of("tp_sizes", "ep_sizes", "moe_dp_sizes", "dp_sizes", "dcp_sizes");
    private static final List<String> MODELS =
            List.of("Qwen/Qwen3-8B", "Qwen/Qwen3-235B-A22B", "deepseek-ai/DeepSeek-V3.1", "nothing/here");
    private static final List<String> SCHEMES = List.of("DISABLED", "FP8", "W8A8_DYNAMIC", "W4A8_DYNAMIC");
    private static final List<String> STRATEGIES = List.of("exponential", "binary", "linear_exponential", "exhaustive");

    private HostileSizes() {}

    static String document(RandomGenerator random) {
        boolean measured = random.nextBoolean();
        ObjectNode question = JsonMapper.shared().createObjectNode();
        question.put("model_id", pick(MODELS, random));
        question.put("num_devices", pick(DEVICES, random));
        String mode = pick(MODES, random);
        question.put("mode", mode);
        if (measured) {
            question.put("cost_model", "calibrated");
            question.putObject("engine").put("backend", pick(List.of("vllm", "sglang", "trtllm"), random));
            devices(question, random);
        } else {
            question.putArray("devices").add("TEST_DEVICE");
        }
        ObjectNode workload = question.putObject("workload");
        workload.put("input_length", 1_000 + random.nextInt(7_000)).put("output_length", 1 + random.nextInt(2_000));
        if (random.nextInt(4) == 0) {
            workload.remove("input_length");
            workload.set("length_distribution", bins(random));
        }
        question.putObject("slo").put("ttft_ms", 2_000).put("tpot_ms", 50);
        if (mode.equals("capacity")) {
            question.putObject("demand").put("requests_per_s", Math.pow(10, random.nextInt(-1, 7)));
            question.set("instance_sizes", sizes(random));
        }
        if (mode.equals("pd_ratio")) {
            pairs(question, random);
        }
        search(question.putObject("search"), measured, random);
        if (random.nextInt(3) == 0) {
            question.put("explain", true);
        }
        if (measured) {
            question.putObject("quantization").set("scheme", repeated(List.of("FP8", "BF16"), random));
        } else if (random.nextBoolean()) {
            ObjectNode quantization = question.putObject("quantization");
            quantization.set("linear", repeated(SCHEMES, random));
            quantization.set("attention", repeated(List.of("DISABLED", "INT8", "FP8"), random));
        }
        return question.toString();
    }

    private static void devices(ObjectNode question, RandomGenerator random) {
        ArrayNode devices = question.putArray("devices");
        for (int count = 1 + random.nextInt(64); count > 0; count--) {
            devices.add(pick(List.of("H100_SXM", "H200_SXM", "B200_SXM"), random));
        }
    }

    private static void search(ObjectNode search, boolean measured, RandomGenerator random) {
        for (String axis : SIZES) {
            if (random.nextInt(3) > 0) {
                search.set(axis, sizes(random));
            }
        }
        if (random.nextInt(3) == 0) {
            search.set("max_batched_tokens", sizes(random));
        }
        if (!measured && random.nextInt(3) == 0) {
            search.put("strategy", pick(STRATEGIES, random));
        }
        if (random.nextInt(3) == 0) {
            search.putArray("batch_range").add(1).add(1 << random.nextInt(20));
        }
    }

    /// Instances of prefill and of decode, of many sizes each.
    private static void pairs(ObjectNode question, RandomGenerator random) {
        ObjectNode ratio = question.putObject("pd_ratio");
        ratio.set("prefill_devices_per_instance", sizes(random));
        ratio.set("decode_devices_per_instance", sizes(random));
    }

    private static ObjectNode bins(RandomGenerator random) {
        ObjectNode distribution = JsonMapper.shared().createObjectNode();
        ArrayNode bins = distribution.putArray("bins");
        int count = 1 + random.nextInt(LONGEST_LIST);
        for (int bin = 0; bin < count; bin++) {
            bins.addObject()
                    .put("min_tokens", 2 * bin)
                    .put("max_tokens", 2 * bin + 2)
                    .put("weight", 1);
        }
        return distribution;
    }

    private static ArrayNode sizes(RandomGenerator random) {
        int count = 1 + random.nextInt(random.nextBoolean() ? 64 : LONGEST_LIST);
        int first = 1 + random.nextInt(1_000);
        IntStream sizes = switch (random.nextInt(4)) {
            case 0 -> IntStream.rangeClosed(1, MUCH_DIVIDED).filter(size -> MUCH_DIVIDED % size == 0);
            case 1 -> IntStream.generate(() -> first);
            case 2 -> IntStream.iterate(first, size -> size + 1);
            default -> IntStream.iterate(1, size -> size * 2).limit(20);
        };
        ArrayNode list = JsonMapper.shared().createArrayNode();
        sizes.limit(count).forEach(list::add);
        return list;
    }

    private static ArrayNode repeated(List<String> values, RandomGenerator random) {
        ArrayNode list = JsonMapper.shared().createArrayNode();
        for (int count = 1 + random.nextInt(LONGEST_LIST); count > 0; count--) {
            list.add(pick(values, random));
        }
        return list;
    }

    /// A trace that is no table, or a table of a shape that nobody would make: one line, one quoted cell, many columns,
    /// nesting, a number of many digits.
    static String trace(RandomGenerator random) {
        int much = 1 << random.nextInt(20);
        return switch (random.nextInt(7)) {
            case 0 -> "input_length,output_length\n" + "1".repeat(much);
            case 1 -> "input_length,output_length\n\"" + "1,2\n".repeat(much / 4);
            case 2 -> "input_length," + "x,".repeat(much / 2) + "output_length\n1" + ",2".repeat(much / 2) + "\n";
            case 3 -> "{\"input_length\": " + "[".repeat(much);
            case 4 -> "{\"input_length\": 1" + "0".repeat(much) + ", \"output_length\": 1}\n";
            case 5 -> "input_length,output_length\n" + "1000,100\n".repeat(much / 9);
            default -> "\n".repeat(much);
        };
    }

    /// A file of a benchmark in which something is long, deep, wide or no number.
    static String resultFile(RandomGenerator random) {
        int much = 1 << random.nextInt(20);
        String run = """
                {"completed": 10, "total_input_tokens": 10000, "total_output_tokens": 5000, "max_concurrency": 2,
                 "request_rate": "inf", "mean_ttft_ms": 80, "mean_tpot_ms": %s}
                """;
        return switch (random.nextInt(9)) {
            case 0 ->
                run.formatted(pick(List.of("9", "NaN", "-Infinity", "1e999", "-9", "null", "[9]", "'9'"), random));
            case 1 -> run.formatted("9, \"itls\": [" + "[0.1],".repeat(much / 6) + "[1]]");
            case 2 -> run.formatted("[".repeat(much));
            case 3 -> run.formatted("9, \"x\": \"" + "y".repeat(much) + "\"");
            case 4 -> run.formatted("9").repeat(1 + random.nextInt(100));
            case 5 -> "{\"benchmarks\": [" + "{},".repeat(much / 3) + "{}]}";
            case 6 -> "Metric,avg\n" + "Request Latency (ms),1\n".repeat(much / 23);
            case 7 -> "Run Info" + ",x".repeat(much / 2) + "\n".repeat(1 + random.nextInt(9));
            default -> "scenario: {}\nresults: " + "{a: ".repeat(Math.min(much, 5_000));
        };
    }
}
