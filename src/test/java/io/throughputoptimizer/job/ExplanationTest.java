package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.changedWithDevices;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.lessOf;
import static io.throughputoptimizer.job.ExplainedSearches.rateOfPlan;
import static io.throughputoptimizer.job.ExplainedSearches.request;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What an explanation promises, against requests that make its changes themselves.
class ExplanationTest {
    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void everySensitivityIsTheAnswerToARequestWithTheChange(long seed) {
        ObjectNode request = request(new Random(seed), false);

        int compared = 0;
        for (JsonNode answer : explained(request)) {
            for (JsonNode one : answer.required("sensitivities")) {
                JsonNode direct = best(
                        changedWithDevices(request, one.required("change")),
                        answer.required("aim").asString());
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
                ObjectNode relaxed = withAll(request, changes);
                JsonNode direct = best(relaxed, aim);
                assertThat(direct.isMissingNode()).isFalse();
                assertThatPlanIs(relaxation.required("plan"), direct);
                compared++;
                for (JsonNode change : changes) {
                    lessOf(change).ifPresent(less -> {
                        assertThat(best(changedWithDevices(relaxed, less), aim).isMissingNode())
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
            for (JsonNode one : answer.required("sensitivities")) {
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

    private static ObjectNode withAll(ObjectNode request, JsonNode changes) {
        ObjectNode changed = request;
        for (JsonNode change : changes) {
            changed = changedWithDevices(changed, change);
        }
        return changed;
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
        String side = direct.has("balanced_requests_per_s") ? "_p" : "";
        assertThat(first.required("label").asString())
                .isEqualTo(direct.required("parallel" + side).required("label").asString());
        assertThat(first.required("batch_size").asLong())
                .isEqualTo(direct.required("batch_size" + side).asLong());
    }

    private static double rate(JsonNode row) {
        return row.has("balanced_requests_per_s")
                ? row.required("balanced_requests_per_s").asDouble()
                : row.required("tokens_per_s").asDouble();
    }
}
