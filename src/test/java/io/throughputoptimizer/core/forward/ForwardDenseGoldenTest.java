package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Every pass of `forward-dense.json`, measured on the reference (msmodeling 84fec85): figures to 1e-9
/// relative, activation and available memory to the byte.
class ForwardDenseGoldenTest {
    private static final double RELATIVE = 1e-9;

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    record GoldenPass(JsonNode json) {
        @Override
        public String toString() {
            return json.get("setup") + " " + json.get("pass");
        }
    }

    static Stream<GoldenPass> passes() throws IOException {
        try (InputStream file = ForwardDenseGoldenTest.class.getResourceAsStream("/golden/forward-dense.json")) {
            JsonNode cases =
                    JsonMapper.shared().readTree(Objects.requireNonNull(file)).get("cases");
            return StreamSupport.stream(cases.spliterator(), false).map(GoldenPass::new).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("passes")
    void equalsTheReference(GoldenPass golden) {
        PricedPass pass = estimator.price(
                deployment(golden.json().get("setup")), shape(golden.json().get("pass")));

        ForwardEstimate estimate = pass.estimate();
        assertClose(estimate.latencyMillis(), golden.json().get("latency_ms"));
        assertMemory(estimate.memory(), golden.json());
        assertBreakdown(estimate.breakdown(), golden.json().get("breakdown_ms"));
        assertThat(totals(pass))
                .usingRecursiveComparison()
                .withComparatorForType(ForwardDenseGoldenTest::compare, Double.class)
                .isEqualTo(totals(golden.json().get("operators")));
    }

    private static void assertMemory(MemoryFootprint memory, JsonNode golden) {
        assertClose(memory.weightBytes() / MemoryFootprint.GIB, golden.get("weight_gb"));
        assertClose(memory.kvCacheBytes() / MemoryFootprint.GIB, golden.get("kv_cache_gb"));
        assertClose(memory.kvCacheBytesPerToken() / MemoryFootprint.GIB, golden.get("kv_cache_per_token_gb"));
        if (golden.has("activation_gb")) {
            assertThat(Math.rint(memory.activationBytes())).isEqualTo(bytes(golden.get("activation_gb")));
            assertThat(Math.rint(memory.availableBytes())).isEqualTo(bytes(golden.get("available_gb")));
        }
    }

    private static void assertBreakdown(BoundBreakdown breakdown, JsonNode golden) {
        assertClose(breakdown.memorySeconds() * 1000, golden.get("memory_bound"));
        assertClose(breakdown.communicationSeconds() * 1000, golden.get("communication_bound"));
        assertClose(breakdown.matrixSeconds() * 1000, golden.get("compute_bound_mma"));
        assertClose(breakdown.generalSeconds() * 1000, golden.get("compute_bound_gp"));
    }

    /// Operators of one name and time: the reference's tables split them by input shapes as well.
    private record Total(String name, double calls, double micros) {}

    private static List<Total> totals(PricedPass pass) {
        return merge(pass.operators().stream()
                .map(priced -> new Total(
                        priced.operator().name(),
                        priced.calls(),
                        priced.calls() * priced.cost().seconds() * 1e6)));
    }

    private static List<Total> totals(JsonNode operators) {
        return merge(StreamSupport.stream(operators.spliterator(), false)
                .map(row -> new Total(
                        row.get("name").asString(),
                        row.get("calls").asDouble(),
                        row.get("total_us").asDouble())));
    }

    private static List<Total> merge(Stream<Total> rows) {
        List<Total> sorted = rows.sorted(
                        Comparator.comparing(Total::name).thenComparingDouble(row -> row.micros() / row.calls()))
                .toList();
        List<Total> merged = new ArrayList<>();
        for (Total row : sorted) {
            Total last = merged.isEmpty() ? null : merged.getLast();
            if (last != null
                    && last.name().equals(row.name())
                    && compare(last.micros() / last.calls(), row.micros() / row.calls()) == 0) {
                merged.set(
                        merged.size() - 1,
                        new Total(row.name(), last.calls() + row.calls(), last.micros() + row.micros()));
            } else {
                merged.add(row);
            }
        }
        return merged;
    }

    private static int compare(double actual, double expected) {
        return Math.abs(actual - expected) <= RELATIVE * Math.abs(expected) ? 0 : Double.compare(actual, expected);
    }

    private static void assertClose(double actual, JsonNode expected) {
        assertThat(actual).isCloseTo(expected.asDouble(), within(RELATIVE * Math.abs(expected.asDouble())));
    }

    private static double bytes(JsonNode gigabytes) {
        return Math.rint(gigabytes.asDouble() * MemoryFootprint.GIB);
    }

    private static Deployment deployment(JsonNode setup) {
        int devices = setup.get("num_devices").asInt();
        int tp = setup.get("tp").asInt();
        return new Deployment(
                TestDeployments.model(
                        setup.get("model").asString().replace("--", "/").replace(".json", "")),
                TestDeployments.device(setup.get("device").asString()),
                ParallelLayout.dense(tp, devices / tp),
                new QuantizationScheme(
                        LinearQuantization.valueOf(setup.path("linear").asString("W8A8_DYNAMIC")),
                        AttentionQuantization.valueOf(setup.path("attention").asString("DISABLED")),
                        QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE),
                new Deployment.Execution(setup.path("compile").asBoolean(true), 0, 10 * MemoryFootprint.GIB));
    }

    private static ForwardShape shape(JsonNode pass) {
        boolean decode = pass.get("decode").asBoolean();
        if (pass.has("mix")) {
            return new ForwardShape.RequestList(StreamSupport.stream(
                            pass.get("mix").spliterator(), false)
                    .map(part -> new ForwardShape.Group(part.get("samples").asLong(), request(part, decode)))
                    .toList());
        }
        return new ForwardShape.Uniform(pass.get("concurrency").asLong(), request(pass, decode));
    }

    private static Request request(JsonNode part, boolean decode) {
        return new Request(part.get("query_len").asLong(), part.get("seq_len").asLong(), decode);
    }
}
