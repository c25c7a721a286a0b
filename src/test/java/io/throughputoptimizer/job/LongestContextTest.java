package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.ContextAnswer;
import io.throughputoptimizer.api.result.ContextsResponse.LayoutResponse;
import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The longest context and the most requests of a layout, against searches with requests of one length after another.
class LongestContextTest {
    private static final ProblemReader PROBLEMS = new ProblemReader(ExplainedSearches.CATALOGS, Long.MAX_VALUE);
    private static final double UNLIMITED = 1e12;

    /// Tokens that no search here is asked about any more.
    private static final long FAR = 1L << 30;

    static LongStream seeds() {
        return Nightly.seeds(17);
    }

    /// Accounting `steady` decodes all requests of a rank at once, and computes a prompt after the other: of requests
    /// that generate one token the step has their whole context.
    @ParameterizedTest
    @MethodSource("seeds")
    void isThatOfTheLongestRequestsWithARow(long seed) {
        Random random = new Random(seed);
        ObjectNode request = request(
                random,
                List.of(
                        "Qwen/Qwen3-32B",
                        "Qwen/Qwen3-8B",
                        "Qwen/Qwen3-30B-A3B",
                        "openai/gpt-oss-120b",
                        "deepseek-ai/DeepSeek-V3",
                        "deepseek-ai/DeepSeek-V3.2",
                        "Qwen/Qwen3.5-35B-A3B",
                        "google/gemma-3-27b-it",
                        "zai-org/GLM-4.5-Air",
                        "deepseek-ai/DeepSeek-V4-Flash"),
                List.of("H100_SXM", "A100_SXM", "ATLAS_800_A2_376T_64G", "B200_SXM"));
        request.put("accounting", "steady");
        request.putObject("serving").put("compile", true).put("reserved_memory_gb", random.nextInt(12));
        request.withObject("/search").putArray("max_batched_tokens").add(1 << (12 + random.nextInt(3)));
        long requests = 4L << random.nextInt(7);
        LayoutResponse layout = layout(request, requests, null);
        assertIsLast(request, memoryTokens(layout), 2, tokens -> fits(request, ofRank(layout, requests), tokens));

        long tokens = 512L << random.nextInt(8);
        long most = mostRequests(layout(request, 1, tokens));
        assertIsLast(request, most / layout.parallel().dp(), 1, count -> fits(request, count, tokens));
    }

    /// On measured devices a rank runs all its requests at once as long as its cache holds each, and admits the
    /// longest.
    @ParameterizedTest
    @MethodSource("seeds")
    void onMeasuredDevicesIsThatOfTheLongestRequestsOfWhichNoneWaits(long seed) {
        Random random = new Random(seed);
        ObjectNode request = request(
                random,
                List.of(
                        "Qwen/Qwen3-32B",
                        "Qwen/Qwen3-8B",
                        "Qwen/Qwen3-30B-A3B",
                        "openai/gpt-oss-120b",
                        "deepseek-ai/DeepSeek-V3",
                        "Qwen/Qwen3.5-35B-A3B"),
                List.of("H100_SXM", "B200_SXM"));
        request.put("cost_model", "calibrated");
        request.putObject("engine").put("backend", "vllm");
        ObjectNode search = request.withObject("/search");
        int ranks = request.at("/search/ep_sizes/0").asInt()
                / Math.min(
                        request.at("/search/ep_sizes/0").asInt(),
                        request.at("/search/tp_sizes/0").asInt());
        search.putArray("dp_sizes").add(ranks);
        request.putObject("quantization").put("scheme", random.nextBoolean() ? "FP8" : "BF16");
        long requests = 1L << random.nextInt(7);
        LayoutResponse layout = layout(request, requests, null);
        if (layout.obstacle() != null) {
            assertThat(result(request)
                            .at("/devices/0/phases/0/rejected/0/reason")
                            .asString())
                    .isEqualTo("model");
            return;
        }
        assertThat(memoryTokens(layout)).isEqualTo(last(2, tokens -> runs(request, ofRank(layout, requests), tokens)));
    }

    /// Gated delta nets compute whole chunks: where tokens do not fill the last one, a pass takes more than one of a
    /// few tokens more, so that there are several lengths with a longer one that does not fit.
    private static void assertIsLast(ObjectNode request, long found, long least, LongPredicate holds) {
        assertThat(found == 0 || holds.test(found)).isTrue();
        assertThat(holds.test(found == 0 ? least : found + 1)).isFalse();
        if (!request.required("model_id").asString().startsWith("Qwen/Qwen3.5")) {
            assertThat(found).isEqualTo(last(least, holds));
        }
    }

    private static ObjectNode request(Random random, List<String> models, List<String> devices) {
        int count = 1 << random.nextInt(4);
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("model_id", models.get(random.nextInt(models.size())))
                .put("num_devices", count)
                .put("allow_beyond_context", true);
        request.putArray("devices").add(devices.get(random.nextInt(devices.size())));
        request.putObject("workload").put("input_length", 1000).put("output_length", 1);
        request.putObject("slo").put("tpot_ms", UNLIMITED);
        ObjectNode search = request.putObject("search");
        search.putArray("tp_sizes").add(1 << random.nextInt(Integer.numberOfTrailingZeros(count) + 1));
        search.putArray("ep_sizes").add(random.nextBoolean() ? 1 : count);
        return request;
    }

    private static LayoutResponse layout(ObjectNode request, long concurrency, @Nullable Long tokens) {
        OptimizationRequest read = WireFormat.read(request.toString(), OptimizationRequest.class);
        return new ContextAnswer(PROBLEMS.question(read), true, ExplainedSearches.ESTIMATOR, () -> {})
                .all(concurrency, tokens)
                .layouts()
                .getFirst();
    }

    private static long memoryTokens(LayoutResponse layout) {
        return layout.memoryContextTokens() == null ? 0 : layout.memoryContextTokens();
    }

    private static long mostRequests(LayoutResponse layout) {
        return layout.mostRequests() == null ? 0 : layout.mostRequests();
    }

    private static long ofRank(LayoutResponse layout, long requests) {
        return Math.ceilDiv(requests, layout.parallel().dp());
    }

    private static boolean fits(ObjectNode request, long requests, long tokens) {
        return result(with(request, requests, tokens - 1, 1))
                        .at("/devices/0/phases/0/rows")
                        .size()
                == 1;
    }

    private static boolean runs(ObjectNode request, long requests, long tokens) {
        JsonNode rows = result(with(request, requests, tokens - 1, 1)).at("/devices/0/phases/0/rows");
        return !rows.isEmpty() && rows.get(0).required("running").asDouble() == requests;
    }

    private static ObjectNode with(ObjectNode request, long requests, long input, long output) {
        ObjectNode asked = request.deepCopy();
        asked.withObject("/workload").put("input_length", input).put("output_length", output);
        asked.withObject("/search").putArray("batch_range").add(requests).add(requests);
        return asked;
    }

    /// The last number that holds, 0 where none does.
    private static long last(long least, LongPredicate holds) {
        if (!holds.test(least)) {
            return 0;
        }
        long below = least;
        long above = 2 * least;
        while (above < FAR && holds.test(above)) {
            below = above;
            above *= 2;
        }
        while (above - below > 1) {
            long middle = (below + above) / 2;
            if (holds.test(middle)) {
                below = middle;
            } else {
                above = middle;
            }
        }
        return below;
    }
}
