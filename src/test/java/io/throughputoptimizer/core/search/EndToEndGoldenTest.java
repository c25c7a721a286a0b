package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.ResultRow.CompositionRow;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Whole searches of `optimizer-end-to-end.json`, measured on the reference: the best row of every layout, figures
/// equal to the three decimals they are rounded to.
class EndToEndGoldenTest {

    /// One row of a phase as the golden file states it; compositions count one data parallel rank.
    private record Row(
            int tp,
            int dp,
            long batchSize,
            long concurrency,
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis,
            double tokensPerSecond,
            List<List<Long>> composition) {

        static Row served(ResultRow row) {
            int dp = row.layout().dp();
            return new Row(
                    row.layout().tp(),
                    dp,
                    row.batchSize(),
                    row.concurrency(),
                    row.figures().ttftMillis(),
                    row.figures().tpotMillis(),
                    row.figures().tokensPerSecond(),
                    row.composition().stream().map(part -> part(part, dp)).toList());
        }

        private static List<Long> part(CompositionRow row, int ranks) {
            return List.of((long) row.inputTokens(), (long) row.queryLength(), row.samples() / ranks);
        }

        static Row expected(JsonNode row) {
            return new Row(
                    row.required("tp").intValue(),
                    row.required("dp").intValue(),
                    row.required("batch_size").longValue(),
                    row.required("concurrency").longValue(),
                    OptimizerVectors.number(row, "ttft_ms"),
                    OptimizerVectors.number(row, "tpot_ms"),
                    row.required("tokens_per_s").doubleValue(),
                    OptimizerVectors.stream(row.path("composition"))
                            .map(part -> OptimizerVectors.stream(part)
                                    .map(JsonNode::longValue)
                                    .toList())
                            .toList());
        }
    }

    static Stream<Arguments> searches() throws IOException {
        try (InputStream file = EndToEndGoldenTest.class.getResourceAsStream("/golden/optimizer-end-to-end.json")) {
            return OptimizerVectors.stream(JsonMapper.shared()
                            .readTree(Objects.requireNonNull(file))
                            .required("cases"))
                    .map(golden -> Arguments.argumentSet(
                            golden.required("case").required("name").stringValue(), golden));
        }
    }

    @ParameterizedTest
    @MethodSource("searches")
    void bestRowsEqualTheReference(JsonNode golden) {
        OptimizationResult result = new Optimizer(new AnalyticForwardEstimator())
                .optimize(problem(golden.required("case")), SearchMonitor.SILENT);

        JsonNode expected = golden.required("expected");
        List<PhaseResult> phases = result.devices().getFirst().phases();
        assertThat(phases.stream().map(phase -> phase.phase().name().toLowerCase(Locale.ROOT)))
                .containsExactlyElementsOf(expected.propertyNames());
        assertThat(phases)
                .allSatisfy(phase -> assertThat(phase.rows())
                        .extracting(Row::served)
                        .isEqualTo(OptimizerVectors.stream(
                                        expected.required(phase.phase().name().toLowerCase(Locale.ROOT)))
                                .map(Row::expected)
                                .toList()));
    }

    private static OptimizationProblem problem(JsonNode request) {
        JsonNode workload = request.required("workload");
        JsonNode limits = request.required("slo");
        String model =
                request.required("model").stringValue().replace("--", "/").replace(".json", "");
        assertThat(request.required("serving").required("compile").booleanValue())
                .isTrue();
        return new CatalogProblem(
                        model,
                        request.required("devices").required(0).stringValue(),
                        request.required("num_devices").intValue())
                .asking(
                        new Demand(
                                new Workload(
                                        lengths(workload),
                                        workload.required("output_length").intValue(),
                                        workload.path("prefix_cache_hit_rate").asDouble(0),
                                        null),
                                new Limits(
                                        OptimizerVectors.number(limits, "ttft_ms"),
                                        OptimizerVectors.number(limits, "tpot_ms")),
                                true,
                                null),
                        search(request));
    }

    private static OptimizationProblem.Search search(JsonNode request) {
        JsonNode search = request.path("search");
        List<Integer> range = OptimizerVectors.integers(search, "batch_range");
        JsonNode budget = search.path("max_batched_tokens");
        return CatalogProblem.search(
                SearchMode.valueOf(request.required("mode").stringValue().toUpperCase(Locale.ROOT)),
                Accounting.DOCUMENTED,
                range == null ? null : new BatchRange(range.getFirst(), range.getLast()),
                budget.isNumber() ? budget.intValue() : null);
    }

    private static Lengths lengths(JsonNode workload) {
        JsonNode distribution = workload.path("length_distribution");
        if (distribution.isMissingNode()) {
            return new Lengths.Fixed(workload.required("input_length").intValue());
        }
        return new Lengths.Mixed(
                distribution.has("name")
                        ? CatalogProblem.lengthDistribution(
                                distribution.required("name").stringValue())
                        : new LengthDistribution(OptimizerVectors.stream(distribution.required("bins"))
                                .map(bin -> new LengthBin(
                                        bin.required("min_tokens").intValue(),
                                        bin.required("max_tokens").intValue(),
                                        bin.required("weight").doubleValue()))
                                .toList()));
    }
}
