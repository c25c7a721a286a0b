package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// Devices for conversations are those of brute force over rows of mode aggregation: every size, every batch
/// size, every number of instances.
class ConversationCapacityTest {
    private static final int MOST = 12;
    private static final int BUDGET = 64;
    private static final List<Integer> SIZES = List.of(2, 4);

    static LongStream seeds() {
        return Nightly.seeds(4);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void fewestDevicesAreThoseOfBruteForce(long seed) {
        Random random = new Random(seed);
        boolean calibrated = random.nextBoolean();
        boolean conversations = random.nextInt(3) > 0;
        ObjectNode rows = request(random, calibrated);
        double headroom = random.nextInt(3) / 10.0;

        double most = 0;
        double[] abilities = new double[SIZES.size()];
        for (int place = 0; place < abilities.length; place++) {
            abilities[place] = most(rows, SIZES.get(place), conversations);
            most = Math.max(most, abilities[place] / SIZES.get(place));
        }
        double share = (0.1 + random.nextDouble()) * BUDGET * most / (1 + headroom);
        double amount = conversations ? Math.max(1, Math.rint(share)) : Math.max(0.01, share);
        ObjectNode asked = rows.deepCopy();
        asked.put("mode", "capacity").put("num_devices", BUDGET).put("headroom", headroom);
        asked.putArray("instance_sizes").add(2).add(4);
        ObjectNode demand = asked.putObject("demand");
        if (conversations) {
            demand.put("conversations", (int) amount);
        } else {
            demand.put("requests_per_s", amount);
        }

        long fewest = Long.MAX_VALUE;
        for (int place = 0; place < abilities.length; place++) {
            if (abilities[place] > 0) {
                long count = (long) Math.ceil(amount * (1 + headroom) / abilities[place] - 1e-9);
                fewest = Math.min(fewest, count * SIZES.get(place));
            }
        }
        JsonNode found = result(asked).required("capacity");
        JsonNode best = found.required("rows")
                .valueStream()
                .filter(row -> row.required("deployment").asString().equals("aggregated"))
                .findFirst()
                .orElse(MissingNode.getInstance());
        if (fewest > BUDGET) {
            assertThat(best.isMissingNode()).isTrue();
            return;
        }
        assertThat(best.required("num_devices").asLong()).isEqualTo(fewest);
        JsonNode group = best.at("/instances/0");
        double each = amount / group.required("count").asLong();
        assertThat(served(group.required("load"), conversations)).isGreaterThanOrEqualTo(each * (1 - 1e-6));
        if (!calibrated) {
            assertThat(found.required("rows").valueStream())
                    .allSatisfy(row ->
                            assertThat(row.required("deployment").asString()).isEqualTo("aggregated"));
            assertThat(found.at("/omitted/0/reason").asString()).contains("what prefill instances forget");
        }
    }

    /// The most that one instance of a size serves within the limits, of all rows.
    private static double most(ObjectNode request, int size, boolean conversations) {
        double most = 0;
        for (int batch = 1; batch <= MOST; batch++) {
            ObjectNode one = request.deepCopy();
            one.put("mode", "aggregation").put("num_devices", size);
            ObjectNode search = one.putObject("search");
            search.putArray("tp_sizes").add(size);
            search.putArray("batch_range").add(batch).add(batch);
            most = Math.max(
                    most,
                    StreamSupport.stream(
                                    result(one).at("/devices/0/phases/0/rows").spliterator(), false)
                            .mapToDouble(row -> served(row, conversations))
                            .max()
                            .orElse(0));
        }
        return most;
    }

    private static double served(JsonNode row, boolean conversations) {
        return conversations
                ? row.required("open_conversations").asDouble()
                : Math.min(
                        row.required("requests_per_s").asDouble(),
                        row.required("sustained_requests_per_s").asDouble());
    }

    private static ObjectNode request(Random random, boolean calibrated) {
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("model_id", List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B").get(random.nextInt(2)));
        request.putArray("devices").add("H100_SXM");
        if (calibrated) {
            request.put("cost_model", "calibrated");
            request.putObject("engine").put("backend", "vllm");
            request.putObject("quantization").put("scheme", "FP8");
        } else {
            request.put("cost_model", "analytic");
        }
        request.putObject("workload")
                .putObject("conversation")
                .put("turns", 2 + random.nextInt(5))
                .put("system_tokens", random.nextInt(3) * 500)
                .put("added_tokens", 100 + random.nextInt(800))
                .put("generated_tokens", 50 + random.nextInt(400))
                .put("keeps_cache", random.nextInt(4) > 0)
                .put("think_time_s", random.nextInt(60));
        ObjectNode search = request.putObject("search");
        search.putArray("tp_sizes").add(2).add(4);
        search.putArray("batch_range").add(1).add(MOST);
        if (!calibrated) {
            search.put("strategy", "exhaustive");
        }
        request.putObject("slo").put("ttft_ms", 200 + random.nextInt(1000)).put("tpot_ms", 10 + random.nextInt(30));
        return request;
    }
}
