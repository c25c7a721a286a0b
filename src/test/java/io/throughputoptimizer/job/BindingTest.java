package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.request;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static io.throughputoptimizer.job.ExplainedSearches.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What is said to bind a candidate, against the next batch size.
class BindingTest {

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void whatBindsIsWhatTheNextBatchSizeBreaks(long seed) {
        ObjectNode request = request(new Random(seed), false);
        long last = request.at("/search/batch_range/1").asLong();

        for (JsonNode answer : explained(request)) {
            for (JsonNode binding : answer.required("bottlenecks")) {
                if (!binding.required("feasible").asBoolean()) {
                    continue;
                }
                long batchSize = binding.required("batch_size").asLong();
                String binds = binding.required("limited_by").asString();
                if (batchSize == last) {
                    assertThat(binds).isEqualTo("batch_range");
                    continue;
                }
                JsonNode now = phase(request, binding, batchSize);
                JsonNode next = phase(request, binding, batchSize + 1);
                if (List.of("ttft", "tpot", "memory").contains(binds)) {
                    assertThat(labelled(next.required("rejected"), binding)
                                    .required("reason")
                                    .asString())
                            .isEqualTo(binds);
                } else {
                    boolean more = tokens(labelled(next.required("rows"), binding))
                            > tokens(labelled(now.required("rows"), binding));
                    assertThat(more).isEqualTo(binds.equals("search"));
                }
                assertThatFiguresAreThoseOf(labelled(now.required("rows"), binding), binding, request);
            }
        }
    }

    private static void assertThatFiguresAreThoseOf(JsonNode row, JsonNode binding, ObjectNode request) {
        JsonNode margins = binding.required("margins");
        for (String figure : List.of("ttft_ms", "tpot_ms")) {
            boolean limited = row.has(figure) && margins.has(figure);
            if (limited) {
                double left = request.at("/slo/" + figure).asDouble()
                        - row.required(figure).asDouble();
                assertThat(margins.required(figure).asDouble()).isCloseTo(left, within(1e-3));
            }
        }
        assertThat(binding.required("memory")).isEqualTo(row.required("memory"));
        assertThat(margins.required("memory_gb").asDouble())
                .isEqualTo(row.at("/memory/available_gb").asDouble());
        for (JsonNode pass : binding.required("passes")) {
            double shares = pass.required("shares")
                    .valueStream()
                    .mapToDouble(JsonNode::asDouble)
                    .sum();
            assertThat(shares).isCloseTo(100, within(1e-6));
            assertThat(pass.required("operators").size()).isBetween(1, 5);
        }
        assertThat(binding.required("passes").isEmpty()).isFalse();
    }

    private static JsonNode phase(ObjectNode request, JsonNode binding, long batchSize) {
        ObjectNode alone = request.deepCopy();
        alone.withObject("/search").putArray("batch_range").add(batchSize).add(batchSize);
        for (JsonNode phase : result(alone).at("/devices/0/phases")) {
            if (phase.required("phase").equals(binding.required("phase"))) {
                return phase;
            }
        }
        throw new AssertionError(binding);
    }

    private static JsonNode labelled(JsonNode rows, JsonNode binding) {
        for (JsonNode row : rows) {
            if (row.at("/parallel/label").equals(binding.required("label"))) {
                return row;
            }
        }
        throw new AssertionError(binding + " in " + rows);
    }
}
