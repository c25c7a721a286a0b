package io.throughputoptimizer.web.frozen;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.http.ContentType;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.Nightly;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What rows say binds them, which is what their search knows, against an explanation of the same answer, which
/// looks at one request more. Random questions of both cost models in every mode that can be explained.
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@EveryNight
class BindsIT {
    private static final String THROUGHPUT = "throughput";
    private static final String SEARCH = "search";

    @LocalServerPort
    private int port;

    /// How rows stood to their explanations.
    private static final class Tally {
        private int same;
        private int unlike;
        private final Set<String> seen = new HashSet<>();
    }

    @Test
    void rowsOfTheRooflineSayWhatTheirExplanationSays() {
        Tally tally = compared(seed -> new AnalyticQuestions(900 + seed).explained());

        assertThat(tally.seen).contains("ttft", "tpot", "batch_range", THROUGHPUT);
        assertThat(tally.same).isGreaterThan(4 * tally.unlike);
    }

    @Test
    void rowsUnderALastingLoadSayWhatTheirExplanationSays() {
        Tally tally = compared(seed -> new AnalyticQuestions(300 + seed).steady());

        assertThat(tally.seen).contains("ttft", "tpot", "batch_range", THROUGHPUT, SEARCH, "least_concurrency");
        assertThat(tally.same).isGreaterThan(4 * tally.unlike);
    }

    /// Its searches end where a rank runs no more at once, and explanations look further.
    @Test
    void rowsOfMeasuredKernelsSayWhatTheirExplanationSays() {
        Tally tally = compared(seed -> new MeasuredQuestions(700 + seed).explained());

        assertThat(tally.seen).contains("ttft", "tpot", "batch_range", THROUGHPUT, SEARCH, "least_concurrency");
        assertThat(tally.same).isGreaterThan(2 * tally.unlike);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void instancesBelowTheirMostAreHeldByTheirDemand(boolean measured) {
        Set<String> peaks = new HashSet<>();
        Nightly.seeds(5).forEach(seed -> {
            Question question =
                    measured ? new MeasuredQuestions(seed).capacity() : new AnalyticQuestions(seed).capacity();
            JsonNode result =
                    answer(JsonMapper.shared().readTree(question.body()).asObject());
            for (JsonNode row : result.at("/capacity/rows")) {
                JsonNode groups = row.required("instances");
                for (JsonNode group : groups) {
                    // Measured instances that feed others are held as those are.
                    JsonNode held = measured ? groups.get(groups.size() - 1) : group;
                    JsonNode load = group.required("load");
                    JsonNode peak = group.required("peak");
                    peak.required("limited_by").forEach(limit -> peaks.add(limit.asString()));
                    assertThat(load.required("limited_by"))
                            .as("%s\n%s", question, group)
                            .isEqualTo(
                                    held.at("/load/concurrency").asLong()
                                                    < held.at("/peak/concurrency")
                                                            .asLong()
                                            ? JsonMapper.shared()
                                                    .createArrayNode()
                                                    .add("demand")
                                            : peak.required("limited_by"));
                }
            }
        });
        assertThat(peaks).contains("tpot", "batch_range").doesNotContain("demand");
    }

    private Tally compared(LongFunction<Question> questions) {
        Tally tally = new Tally();
        Nightly.seeds(10).forEach(seed -> {
            ObjectNode request =
                    JsonMapper.shared().readTree(questions.apply(seed).body()).asObject();
            if (!request.path("mode").asString("").equals("capacity")) {
                widen(request, new Draw(seed));
                compare(request, tally);
            }
        });
        return tally;
    }

    /// Else the range asked for is what binds most rows.
    private static void widen(ObjectNode request, Draw draw) {
        ObjectNode search = request.withObject("/search");
        if (draw.chance(0.3)) {
            request.putObject("objective")
                    .put("name", "tokens_per_s_per_user")
                    .put("min_concurrency", draw.pick(1, 2, 5));
        } else if (draw.chance(0.3)) {
            request.withObject("/slo").remove("ttft_ms");
        }
        if (draw.chance(0.4)) {
            search.remove("batch_range");
            search.put("strategy", draw.pick("exponential", "binary", "linear_exponential"));
        } else if (draw.chance(0.5)) {
            search.putArray("batch_range").add(64);
        }
        if (request.path("cost_model").asString("").equals("calibrated")) {
            search.remove("strategy");
        }
    }

    private void compare(ObjectNode request, Tally tally) {
        JsonNode result = answer(request.put("explain", true));
        if (result.isMissingNode()) {
            return;
        }
        for (JsonNode answer : result.at("/explanation/answers")) {
            JsonNode device = named(result.required("devices"), "device", answer.required("device"));
            for (JsonNode binding : answer.required("bottlenecks")) {
                if (binding.required("feasible").asBoolean()) {
                    binds(device, binding).forEach(binds -> hold(request, device, binding, binds, tally));
                }
            }
        }
        assertThat(rows(result.required("devices")))
                .allSatisfy(row -> assertThat(Stream.of("limited_by", "limited_by_prefill", "limited_by_decode")
                                .map(row::path)
                                .filter(JsonNode::isArray))
                        .allMatch(binds -> !binds.isEmpty())
                        .isNotEmpty());
        assertThat(answer(request.put("explain", false)).required("devices")).isEqualTo(result.required("devices"));
    }

    private static List<JsonNode> rows(JsonNode devices) {
        return devices.valueStream()
                .flatMap(device -> Stream.concat(
                        device.required("phases").valueStream().map(phase -> phase.required("rows")),
                        Stream.of(device.at("/pd_ratio/rows"))))
                .flatMap(JsonNode::valueStream)
                .toList();
    }

    private static void hold(ObjectNode request, JsonNode device, JsonNode binding, JsonNode binds, Tally tally) {
        List<String> said = binds.valueStream().map(JsonNode::asString).toList();
        String explained = binding.required("limited_by").asString();
        tally.seen.addAll(said);
        if (said.contains(explained) || (said.equals(List.of(THROUGHPUT)) && explained.equals("max_batched_tokens"))) {
            tally.same++;
            return;
        }
        tally.unlike++;
        // Nobody but the explanation looked at one request more.
        assertThat(said)
                .as("%s\n%s", request, binding)
                .isSubsetOf(THROUGHPUT, SEARCH)
                .isNotEmpty();
        assertThat(nextWasTried(device, binding))
                .as("%s\n%s %s", request, binding, said)
                .isFalse();
    }

    private static boolean nextWasTried(JsonNode device, JsonNode binding) {
        String phase = binding.required("phase").asString();
        boolean pair = phase.equals("pd_ratio");
        String unit = pair ? "concurrency" : "batch_size";
        long next = binding.required(unit).asLong() + 1;
        JsonNode points = named(device.required("phases"), "phase", pair ? "decode" : phase)
                .required("points");
        return points.valueStream()
                .anyMatch(point -> point.required(unit).asLong() == next
                        && (pair || point.at("/parallel/label").equals(binding.required("label"))));
    }

    /// What rows about the same say: of pairs in numbers of instances each side.
    private static Stream<JsonNode> binds(JsonNode device, JsonNode binding) {
        String phase = binding.required("phase").asString();
        JsonNode label = binding.required("label");
        List<JsonNode> pairs = device.at("/pd_ratio/rows").valueStream().toList();
        if (phase.equals("pd_ratio")) {
            return pairs.stream()
                    .filter(row -> pairLabel(row).equals(label.asString()))
                    .map(row -> row.required("limited_by"));
        }
        String side = phase.equals("prefill") ? "_p" : "_d";
        Function<String, Function<JsonNode, Optional<JsonNode>>> of = suffix -> row -> Optional.of(row)
                .filter(one -> one.at("/parallel" + suffix + "/label").equals(label)
                        && one.at("/batch_size" + suffix).equals(binding.required("batch_size")))
                .map(one -> one.required("limited_by" + suffix));
        return Stream.concat(
                        pairs.stream().map(of.apply(side)),
                        named(device.required("phases"), "phase", binding.required("phase"))
                                .required("rows")
                                .valueStream()
                                .map(of.apply("")))
                .flatMap(Optional::stream);
    }

    private static String pairLabel(JsonNode row) {
        return row.required("prefill_instances").asInt() + " x "
                + row.at("/parallel_p/label").asString() + " feed "
                + row.required("decode_instances").asInt() + " x "
                + row.at("/parallel_d/label").asString();
    }

    private static JsonNode named(JsonNode all, String member, String name) {
        return named(all, member, JsonMapper.shared().valueToTree(name));
    }

    private static JsonNode named(JsonNode all, String member, JsonNode name) {
        return all.valueStream()
                .filter(one -> one.required(member).equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// Missing where it is refused.
    private JsonNode answer(ObjectNode request) {
        return JsonMapper.shared()
                .readTree(given().port(port)
                        .contentType(ContentType.JSON)
                        .header("Prefer", "wait=600")
                        .queryParam("include", "probes,frontier,compositions,all_rows")
                        .body(request.toString())
                        .post(Question.OPTIMIZATIONS)
                        .asString())
                .path("result");
    }
}
