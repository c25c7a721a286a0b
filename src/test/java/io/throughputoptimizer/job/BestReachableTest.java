package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ExplainedSearches.CATALOGS;
import static io.throughputoptimizer.job.ExplainedSearches.DEVICE;
import static io.throughputoptimizer.job.ExplainedSearches.explained;
import static io.throughputoptimizer.job.ExplainedSearches.request;
import static io.throughputoptimizer.job.ExplainedSearches.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.api.WireFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What a layout is said to reach at the least, against every batch size.
class BestReachableTest {
    /// Points are rounded to three decimals.
    private static final Offset<Double> ROUNDED = within(6e-4);

    private static final double MEMORY_SHARE = 1e-6;

    @ParameterizedTest
    @MethodSource("io.throughputoptimizer.job.ExplainedSearches#seeds")
    void noBatchSizeReachesLess(long seed) {
        Random random = new Random(seed);
        ObjectNode request = request(random, seed % 2 == 0);
        ObjectNode unlimited = unlimited(request);
        JsonNode all = result(unlimited);
        int compared = 0;
        for (JsonNode answer : explained(request)) {
            for (JsonNode binding : answer.required("bottlenecks")) {
                List<JsonNode> points = points(all, binding);
                if (points.isEmpty()) {
                    continue;
                }
                JsonNode least = binding.required("least");
                assertThatIsLeast(points, "ttft", least);
                assertThatIsLeast(points, "tpot", least);
                double memory = least.required("memory_gb").asDouble();
                long batchSize = least.required("memory_batch_size").asLong();
                assertThat(taken(row(unlimited, binding, batchSize).orElseThrow()))
                        .isCloseTo(memory, within(1e-9));
                long other = points.get(random.nextInt(points.size()))
                        .required("batch_size")
                        .asLong();
                assertThat(taken(row(unlimited, binding, other).orElseThrow())).isGreaterThan(memory - 1e-9);
                compared++;
            }
        }
        assertThat(compared).isPositive();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "aggregation; 'input_length': 20000",
                "disaggregation; 'input_length': 20000",
                "aggregation; 'length_distribution': {'name': 'builtin'}"
            },
            quoteCharacter = '`')
    void whereMemoryIsShortItIsThatOfDevicesWithEnough(String mode, String lengths) {
        ObjectNode request = JsonMapper.shared()
                .readTree("""
                {"model_id": "meta-llama/Meta-Llama-3.1-405B", "devices": ["%s"], "num_devices": 8, "mode": "%s",
                 "accounting": "steady", "allow_beyond_context": true, "workload": {%s, "output_length": 100},
                 "slo": {"ttft_ms": 100000, "tpot_ms": 500}, "search": {"tp_sizes": [2, 4], "batch_range": [2, 9]}}
                """.formatted(DEVICE, mode, lengths.replace('\'', '"')))
                .asObject();
        for (JsonNode answer : explained(request)) {
            for (JsonNode binding : answer.required("bottlenecks")) {
                assertThat(binding.required("limited_by").asString()).isEqualTo("memory");
                JsonNode least = binding.required("least");
                double needed = least.required("memory_gb").asDouble()
                        + binding.at("/memory/reserved_gb").asDouble();
                ObjectNode enough = withMemory(unlimited(request), needed * (1 + MEMORY_SHARE));
                JsonNode row = row(enough, binding, 2).orElseThrow();
                for (String figure : List.of("ttft_ms", "tpot_ms")) {
                    assertThat(row.has(figure)).isEqualTo(least.has(figure));
                    assertThat(row.path(figure).asDouble(0))
                            .isCloseTo(least.path(figure).asDouble(0), ROUNDED);
                }
                assertThat(row(withMemory(unlimited(request), needed * (1 - MEMORY_SHARE)), binding, 2))
                        .isEmpty();
            }
        }
    }

    @Test
    void whatCannotBeLaidOutReachesNothing() {
        ObjectNode request = JsonMapper.shared().readTree("""
                {"model_id": "Qwen/Qwen3-8B", "devices": ["%s"], "num_devices": 6, "workload": {"input_length": 500, "output_length": 50},
                 "slo": {"tpot_ms": 50}, "search": {"tp_sizes": [3]}}
                """.formatted(DEVICE)).asObject();
        for (JsonNode answer : explained(request)) {
            answer.required("bottlenecks").forEach(binding -> {
                assertThat(binding.required("limited_by").asString()).isEqualTo("model");
                assertThat(binding.has("least")).isFalse();
            });
        }
    }

    private static ObjectNode unlimited(ObjectNode request) {
        ObjectNode unlimited = request.deepCopy();
        unlimited.putObject("slo").put("ttft_ms", "inf").put("tpot_ms", "inf");
        unlimited.withObject("/search").put("strategy", "exhaustive");
        return unlimited;
    }

    private static void assertThatIsLeast(List<JsonNode> points, String figure, JsonNode least) {
        String member = figure + "_ms";
        assertThat(least.has(member)).isEqualTo(points.getFirst().has(member));
        if (!least.has(member)) {
            return;
        }
        double value = least.required(member).asDouble();
        long batchSize = least.required(figure + "_batch_size").asLong();
        for (JsonNode point : points) {
            double there = point.required(member).asDouble();
            assertThat(there).isGreaterThan(value - 6e-4);
            if (point.required("batch_size").asLong() == batchSize) {
                assertThat(there).isCloseTo(value, ROUNDED);
            }
        }
        assertThat(points).anyMatch(point -> point.required("batch_size").asLong() == batchSize);
    }

    private static List<JsonNode> points(JsonNode result, JsonNode binding) {
        List<JsonNode> points = new ArrayList<>();
        for (JsonNode phase : result.at("/devices/0/phases")) {
            if (phase.required("phase").equals(binding.required("phase"))) {
                phase.required("points").forEach(point -> {
                    if (point.at("/parallel/label").equals(binding.required("label"))) {
                        points.add(point);
                    }
                });
            }
        }
        return points;
    }

    private static double taken(JsonNode row) {
        return row.at("/memory/total_gb").asDouble()
                - row.at("/memory/reserved_gb").asDouble()
                - row.at("/memory/available_gb").asDouble();
    }

    private static Optional<JsonNode> row(ObjectNode request, JsonNode binding, long batchSize) {
        ObjectNode alone = request.deepCopy();
        alone.withObject("/search").putArray("batch_range").add(batchSize).add(batchSize);
        for (JsonNode phase : result(alone).at("/devices/0/phases")) {
            for (JsonNode row : phase.required("rows")) {
                if (phase.required("phase").equals(binding.required("phase"))
                        && row.at("/parallel/label").equals(binding.required("label"))) {
                    return Optional.of(row);
                }
            }
        }
        return Optional.empty();
    }

    private static ObjectNode withMemory(ObjectNode request, double gigabytes) {
        ObjectNode device = (ObjectNode) JsonMapper.shared()
                .readTree(WireFormat.write(CATALOGS.deviceDocument(DEVICE).orElseThrow()));
        device.remove("effective");
        device.remove("calibration");
        device.withObject("/memory").put("capacity_gb", gigabytes);
        request.putArray("device_profiles").add(device);
        return request;
    }
}
