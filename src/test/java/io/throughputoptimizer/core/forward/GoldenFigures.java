package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.cost.BoundBreakdown;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Figures measured on the reference (msmodeling 84fec85), and how estimates are compared with them.
final class GoldenFigures {
    static final double RELATIVE = 1e-9;
    /// How far an activation that says itself that it is not exact may be off, as a share of the device's memory.
    private static final double INEXACT_SHARE = 1e-3;

    private GoldenFigures() {}

    /// The cases of a golden file.
    static List<JsonNode> cases(String file) {
        try (InputStream stored = Objects.requireNonNull(GoldenFigures.class.getResourceAsStream("/golden/" + file));
                InputStream stream = file.endsWith(".gz") ? new GZIPInputStream(stored) : stored) {
            JsonNode cases = JsonMapper.shared().readTree(stream).get("cases");
            return elements(cases).toList();
        } catch (IOException e) {
            throw new IllegalStateException(file, e);
        }
    }

    static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    static void assertClose(double actual, JsonNode expected) {
        assertThat(actual).isCloseTo(expected.asDouble(), within(RELATIVE * Math.abs(expected.asDouble())));
    }

    static double bytes(JsonNode gigabytes) {
        return Math.rint(gigabytes.asDouble() * MemoryFootprint.GIB);
    }

    /// A pass with its setup, as the files of forward passes have them.
    record GoldenPass(JsonNode json) {
        JsonNode setup() {
            return json.get("setup");
        }

        @Override
        public String toString() {
            return setup() + " " + json.get("pass");
        }

        void assertEqual(PricedPass pass) {
            assertEqual(pass, false);
        }

        /// @param mayBeInexact whether the pass may say itself that its activation is not exact
        void assertEqual(PricedPass pass, boolean mayBeInexact) {
            ForwardEstimate estimate = pass.estimate();
            assertClose(estimate.latencyMillis(), json.get("latency_ms"));
            assertMemory(estimate.memory(), mayBeInexact);
            assertBreakdown(estimate.breakdown(), json.get("breakdown_ms"));
            OperatorTotals.assertEqualOrSummed(OperatorTotals.of(pass), operators(), 0);
        }

        private List<OperatorTotals.Total> operators() {
            return elements(json.get("operators"))
                    .map(row -> new OperatorTotals.Total(
                            row.get("name").asString(),
                            row.get("calls").asDouble(),
                            row.get("total_us").asDouble()))
                    .toList();
        }

        private void assertMemory(MemoryFootprint memory, boolean mayBeInexact) {
            assertClose(memory.weightBytes() / MemoryFootprint.GIB, json.get("weight_gb"));
            assertClose(memory.kvCacheBytes() / MemoryFootprint.GIB, json.get("kv_cache_gb"));
            assertClose(memory.kvCacheBytesPerToken() / MemoryFootprint.GIB, json.get("kv_cache_per_token_gb"));
            if (json.has("activation_gb") && mayBeInexact && !memory.exact()) {
                double off = memory.activationBytes() - bytes(json.get("activation_gb"));
                assertThat(Math.abs(off)).isLessThan(INEXACT_SHARE * memory.capacityBytes());
            } else if (json.has("activation_gb")) {
                assertThat(memory.exact()).isTrue();
                assertThat(Math.rint(memory.activationBytes())).isEqualTo(bytes(json.get("activation_gb")));
                assertThat(Math.rint(memory.availableBytes())).isEqualTo(bytes(json.get("available_gb")));
            }
        }

        private static void assertBreakdown(BoundBreakdown breakdown, JsonNode golden) {
            assertClose(breakdown.memorySeconds() * 1000, golden.get("memory_bound"));
            assertClose(breakdown.communicationSeconds() * 1000, golden.get("communication_bound"));
            assertClose(breakdown.matrixSeconds() * 1000, golden.get("compute_bound_mma"));
            assertClose(breakdown.generalSeconds() * 1000, golden.get("compute_bound_gp"));
        }

        ForwardShape shape() {
            JsonNode pass = json.get("pass");
            boolean decode = pass.get("decode").asBoolean();
            if (pass.has("mix")) {
                return new ForwardShape.RequestList(elements(pass.get("mix"))
                        .map(part -> new ForwardShape.Group(part.get("samples").asLong(), request(part, decode)))
                        .toList());
            }
            return new ForwardShape.Uniform(
                    pass.get("concurrency").asLong(), request(pass, decode), null, pass.has("context_length"));
        }

        private static Request request(JsonNode part, boolean decode) {
            return new Request(
                    part.get("query_len").asLong(), part.get("seq_len").asLong(), decode);
        }
    }
}
