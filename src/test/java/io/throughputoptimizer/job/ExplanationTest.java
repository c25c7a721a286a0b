package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.CATALOGS;
import static io.throughputoptimizer.job.ExplainedSearches.DEVICE;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.rateOfPlan;
import static io.throughputoptimizer.job.ExplainedSearches.request;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.api.WireFormat;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What an explanation promises, against requests that make its changes themselves.
class ExplanationTest {
    private static final double LESS = 0.999;

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void everySensitivityIsTheAnswerToARequestWithTheChange(long seed) {
        ObjectNode request = request(new Random(seed), false);

        int compared = 0;
        for (JsonNode answer : explained(request)) {
            for (JsonNode one : answer.required("what_would_help")) {
                ObjectNode changed = request.deepCopy();
                apply(changed, one.required("change"));
                JsonNode direct = best(changed, answer.required("aim").asString());
                assertThatPlanIs(one.path("plan"), direct);
                compared++;
                if (!direct.isMissingNode()) {
                    double effect = 100 * (rate(direct) / rateOfPlan(answer.required("best")) - 1);
                    assertThat(one.required("effect_percent").asDouble()).isCloseTo(effect, within(1e-3));
                }
            }
        }
        assertThat(compared).isPositive();
    }

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void everyRelaxationGivesItsPlanAndALittleLessGivesNone(long seed) {
        ObjectNode request = request(new Random(seed), true);

        int compared = 0;
        for (JsonNode answer : explained(request)) {
            assertThat(answer.has("best")).isFalse();
            String aim = answer.required("aim").asString();
            for (JsonNode relaxation : answer.required("nearest_feasible")) {
                JsonNode changes = relaxation.required("changes");
                ObjectNode relaxed = request.deepCopy();
                changes.forEach(change -> apply(relaxed, change));
                JsonNode direct = best(relaxed, aim);
                assertThat(direct.isMissingNode()).isFalse();
                assertThatPlanIs(relaxation.required("plan"), direct);
                compared++;
                for (JsonNode change : changes) {
                    lessOf(change).ifPresent(less -> {
                        ObjectNode tooLittle = relaxed.deepCopy();
                        apply(tooLittle, less);
                        assertThat(best(tooLittle, aim).isMissingNode())
                                .as("%s", less)
                                .isTrue();
                    });
                }
            }
        }
        assertThat(compared).isPositive();
    }

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void widerLimitsNeverLowerTheBestUnderExhaustiveEvaluation(long seed) {
        ObjectNode request = request(new Random(seed), false);
        ObjectNode search = request.withObject("/search");
        search.put("strategy", "exhaustive");
        search.putArray("batch_range").add(1).add(24);

        for (JsonNode answer : explained(request)) {
            for (JsonNode one : answer.required("what_would_help")) {
                JsonNode change = one.required("change");
                boolean wider = change.required("lever").asString().endsWith("_limit")
                        && change.required("to").asDouble()
                                > change.required("from").asDouble();
                if (wider) {
                    assertThat(one.required("effect_percent").asDouble()).isGreaterThanOrEqualTo(0);
                }
            }
        }
    }

    /// The best row or ratio; missing when there is none.
    private static JsonNode best(ObjectNode request, String aim) {
        JsonNode device = result(request).required("devices").get(0);
        if (aim.equals("pd_ratio")) {
            return device.required("pd_ratio").path("best");
        }
        for (JsonNode phase : device.required("phases")) {
            if (phase.required("phase").asString().equals(aim)) {
                return phase.path("best");
            }
        }
        throw new AssertionError("no phase " + aim);
    }

    private static void assertThatPlanIs(JsonNode plan, JsonNode direct) {
        assertThat(plan.isMissingNode()).isEqualTo(direct.isMissingNode());
        if (direct.isMissingNode()) {
            return;
        }
        assertThat(rateOfPlan(plan)).isEqualTo(rate(direct));
        JsonNode first = plan.required("instances").get(0);
        String side = direct.has("balanced_qps") ? "_p" : "";
        assertThat(first.required("label").asString())
                .isEqualTo(direct.required("parallel" + side).required("label").asString());
        assertThat(first.required("batch_size").asLong())
                .isEqualTo(direct.required("batch_size" + side).asLong());
    }

    private static double rate(JsonNode row) {
        return row.has("balanced_qps")
                ? row.required("balanced_qps").asDouble()
                : row.required("tokens_per_s").asDouble();
    }

    private static Optional<JsonNode> lessOf(JsonNode change) {
        return switch (change.required("lever").asString()) {
            case "ttft_limit", "tpot_limit", "memory_size" ->
                Optional.of(((ObjectNode) change.deepCopy())
                        .put("to", change.required("to").asDouble() * LESS));
            case "input_length" ->
                Optional.of(((ObjectNode) change.deepCopy())
                        .put("to", change.required("to").asDouble() + 1));
            default -> Optional.empty();
        };
    }

    private static void apply(ObjectNode request, JsonNode change) {
        if (change.has("pointer")) {
            String pointer = change.required("pointer").asString();
            int last = pointer.lastIndexOf('/');
            ObjectNode parent = last == 0 ? request : request.withObject(pointer.substring(0, last));
            JsonNode value = change.required("to");
            boolean whole = value.isNumber() && value.asDouble() == Math.rint(value.asDouble());
            parent.set(pointer.substring(last + 1), whole ? parent.numberNode((long) value.asDouble()) : value);
        } else {
            applyToDevice(request, change);
        }
    }

    private static void applyToDevice(ObjectNode request, JsonNode change) {
        ObjectNode device = (ObjectNode) JsonMapper.shared()
                .readTree(WireFormat.write(CATALOGS.deviceDocument(DEVICE).orElseThrow()));
        device.remove("effective");
        device.remove("calibration");
        double to = change.required("to").asDouble();
        double factor = to / change.required("from").asDouble();
        ObjectNode memory = device.withObject("/memory");
        switch (change.required("lever").asString()) {
            case "memory_size" -> memory.put("capacity_gb", to);
            case "memory_bandwidth" -> scale(memory, "bandwidth_tb_per_s", factor);
            case "matrix_rate" -> scaleAll(device.withObject("/compute/matrix_tflops"), factor);
            case "static_costs" -> scaleAll(device.withObject("/static_costs_us"), factor);
            case "link_bandwidth" ->
                device.at("/interconnect/links")
                        .forEach(link -> scale((ObjectNode) link, "bandwidth_gb_per_s", factor));
            case "link_latency" ->
                device.at("/interconnect/links").forEach(link -> scale((ObjectNode) link, "latency_us", factor));
            default -> throw new AssertionError(change);
        }
        request.putArray("device_profiles").add(device);
    }

    private static void scaleAll(ObjectNode members, double factor) {
        new ArrayList<>(members.propertyNames()).forEach(name -> scale(members, name, factor));
    }

    private static void scale(ObjectNode members, String name, double factor) {
        members.put(name, members.required(name).asDouble() * factor);
    }
}
