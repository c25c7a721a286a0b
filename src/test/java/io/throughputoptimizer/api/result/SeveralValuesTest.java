package io.throughputoptimizer.api.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.Nightly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A search of several values of some members finds what the searches of one value of each find together.
class SeveralValuesTest {
    private static final ProblemReader READER = new ProblemReader(BuiltIn.CATALOGS, Long.MAX_VALUE);
    private static final Optimizer OPTIMIZER = new Optimizer(new AnalyticForwardEstimator());
    private static final List<String> LISTED = List.of(
            "/serving/num_mtp_tokens",
            "/search/max_batched_tokens",
            "/quantization/linear",
            "/quantization/non_expert_linear",
            "/quantization/attention");

    static LongStream seeds() {
        return Nightly.seeds(4);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theBestOfAListIsTheBestOfSeparateRequests(long seed) {
        ObjectNode question = question(new Random(seed));

        List<JsonNode> separate = combinations(question).stream()
                .flatMap(one -> answer(one).stream())
                .toList();

        compare(answer(question).orElseThrow(), separate);
    }

    private static void compare(JsonNode together, List<JsonNode> separate) {
        int phases = together.at("/devices/0/phases").size();
        for (int phase = 0; phase < phases; phase++) {
            String place = "/devices/0/phases/" + phase;
            assertThat(best(together, place, "tokens_per_s")).isEqualTo(bestOf(separate, place, "tokens_per_s"));
            assertThat(found(Stream.of(together), place + "/rows"))
                    .isEqualTo(found(separate.stream(), place + "/rows"));
            assertThat(found(Stream.of(together), place + "/points"))
                    .isEqualTo(found(separate.stream(), place + "/points"));
        }
        assertThat(best(together, "/devices/0/pd_ratio", "balanced_requests_per_s"))
                .isEqualTo(bestOf(separate, "/devices/0/pd_ratio", "balanced_requests_per_s"));
    }

    private static double bestOf(List<JsonNode> results, String place, String figure) {
        return results.stream()
                .mapToDouble(result -> best(result, place, figure))
                .max()
                .orElseThrow();
    }

    private static double best(JsonNode result, String place, String figure) {
        return result.at(place + "/best/" + figure).asDouble(-1);
    }

    /// What was found, without what a single value does not name. Decode is the same with every token budget, so it is
    /// searched with the first only.
    private static List<String> found(Stream<JsonNode> results, String place) {
        return results.flatMap(result -> result.at(place).valueStream().map(found -> {
                    ObjectNode bare = found.deepCopy().asObject();
                    bare.remove(List.of("rank", "max_batched_tokens"));
                    bare.withObject("/parallel").remove(List.of("label", "variant"));
                    return bare.toString();
                }))
                .distinct()
                .sorted()
                .toList();
    }

    private static Optional<JsonNode> answer(ObjectNode question) {
        try {
            OptimizationRequest request = WireFormat.read(question.toString(), OptimizationRequest.class);
            return Optional.of(JsonMapper.shared()
                    .readTree(WireFormat.write(ResultResponse.from(
                            OPTIMIZER.optimize(READER.read(request), SearchMonitor.SILENT), Duration.ZERO, null))));
        } catch (InvalidRequestException _) {
            return Optional.empty();
        }
    }

    /// Each value of every list with each of the others.
    private static List<ObjectNode> combinations(ObjectNode question) {
        List<ObjectNode> questions = List.of(question);
        for (String pointer : LISTED) {
            questions = questions.stream()
                    .flatMap(one -> question.at(pointer) instanceof ArrayNode values
                            ? values.valueStream().map(value -> with(one, pointer, value))
                            : Stream.of(one))
                    .toList();
        }
        return questions;
    }

    private static ObjectNode with(ObjectNode question, String pointer, JsonNode value) {
        ObjectNode other = question.deepCopy();
        int member = pointer.lastIndexOf('/');
        other.withObject(pointer.substring(0, member)).set(pointer.substring(member + 1), value);
        return other;
    }

    private static ObjectNode question(Random random) {
        String mode = pick(random, "aggregation", "aggregation", "disaggregation", "pd_ratio");
        boolean drafts = random.nextInt(3) == 0;
        int devices = drafts ? 16 : 2;
        ObjectNode question = JsonMapper.shared().createObjectNode();
        question.put(
                        "model_id",
                        drafts ? "deepseek-ai/DeepSeek-V3.1" : pick(random, "Qwen/Qwen3-8B", "Qwen/Qwen3-30B-A3B"))
                .putPOJO("devices", List.of("TEST_DEVICE"))
                .put("num_devices", mode.equals("pd_ratio") ? 3 * devices : devices)
                .put("mode", mode)
                .put("accounting", pick(random, "documented", "steady"));
        question.withObject("/workload")
                .put("input_length", pick(random, 500, 3500))
                .put("output_length", 200);
        question.withObject("/slo").put("ttft_ms", pick(random, 500, 5000)).put("tpot_ms", pick(random, 20, 100));
        question.withObject("/serving").put("compile", true);
        ObjectNode search = question.withObject("/search");
        search.putArray("batch_range").add(1).add(pick(random, 4, 40));
        search.putArray("tp_sizes").add(devices).add(devices / 2);
        if (mode.equals("pd_ratio")) {
            question.withObject("/pd_ratio")
                    .put("prefill_devices_per_instance", devices)
                    .put("decode_devices_per_instance", devices);
        }
        if (drafts) {
            put(question, "/serving", "num_mtp_tokens", some(random, List.of(0, 1, 2)));
        }
        if (random.nextBoolean()) {
            put(question, "/search", "max_batched_tokens", some(random, List.of(1000, 4096, 8192)));
        }
        // Latent attention needs quantized linear layers for a quantized cache: one of them makes it no refusal.
        List<String> linear = some(random, List.of("W8A8_DYNAMIC", "DISABLED", "W4A8_DYNAMIC"));
        put(
                question,
                "/quantization",
                "linear",
                linear.equals(List.of("DISABLED")) ? List.of("DISABLED", "FP8") : linear);
        put(question, "/quantization", "attention", some(random, List.of("DISABLED", "INT8")));
        if (!question.get("model_id").asString().equals("Qwen/Qwen3-8B") && random.nextBoolean()) {
            put(question, "/quantization", "non_expert_linear", some(random, List.of("FP8", "MXFP4", "W8A8_STATIC")));
        }
        return question;
    }

    private static void put(ObjectNode question, String place, String member, List<?> values) {
        question.withObject(place).set(member, JsonMapper.shared().valueToTree(values));
    }

    /// At least one of the values, in any order.
    private static <T> List<T> some(Random random, List<T> values) {
        List<T> left = new ArrayList<>(values);
        return IntStream.rangeClosed(0, random.nextInt(2))
                .mapToObj(_ -> left.remove(random.nextInt(left.size())))
                .toList();
    }

    @SafeVarargs
    private static <T> T pick(Random random, T... values) {
        return values[random.nextInt(values.length)];
    }
}
