package io.throughputoptimizer.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.Distributions;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class RequestMixTest {

    static Stream<Arguments> representativeRows() {
        return OptimizerVectors.arguments(OptimizerVectors.common("representative_rows"));
    }

    @ParameterizedTest
    @MethodSource("representativeRows")
    void eachBinIsRepresentedByItsMidpoint(JsonNode vector) {
        LengthDistribution distribution =
                Distributions.named(vector.required("distribution").stringValue());
        double hitRate = vector.required("prefix_cache_hit_rate").doubleValue();
        RequestMix mix = RequestMix.of(distribution, hitRate);

        assertThat(mix.lengths())
                .isEqualTo(OptimizerVectors.stream(vector.required("rows"))
                        .map(RequestMixTest::length)
                        .toList());
        assertThat(mix.meanQueryLength())
                .isEqualTo(vector.required("effective_input_length").intValue());
        assertThat(distribution.maxEffectiveLength(hitRate))
                .isEqualTo(vector.required("max_effective_from_bin_max").intValue());
    }

    static Stream<Arguments> allocations() {
        return OptimizerVectors.arguments(OptimizerVectors.common("largest_remainder_allocation"));
    }

    @ParameterizedTest
    @MethodSource("allocations")
    void requestsAreAllocatedByTheLargestRemainder(JsonNode vector) {
        RequestMix mix = RequestMix.of(
                Distributions.named(vector.required("distribution").stringValue()),
                vector.required("prefix_cache_hit_rate").doubleValue());

        assertThat(mix.allocate(vector.required("concurrency").longValue()))
                .isEqualTo(OptimizerVectors.stream(vector.required("rows"))
                        .map(row -> new LengthSamples(
                                length(row), null, row.required("samples").longValue()))
                        .toList());
    }

    static LongStream seeds() {
        return Nightly.seeds(33);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void allocationSumsToTheConcurrencyAndStaysWithinOneOfTheIdeal(long seed) {
        Random random = new Random(seed);
        RequestMix mix = RequestMix.of(randomDistribution(random), random.nextDouble());
        long concurrency = 1 + random.nextLong(1L << (1 + random.nextInt(40)));

        List<LengthSamples> allocation = mix.allocate(concurrency);

        assertThat(allocation.stream().mapToLong(LengthSamples::samples).sum()).isEqualTo(concurrency);
        assertThat(allocation).allSatisfy(part -> {
            assertThat(part.samples()).isPositive();
            double ideal = concurrency * part.length().requestRatio();
            assertThat(part.samples()).isBetween((long) Math.floor(ideal), (long) Math.floor(ideal) + 1);
        });
    }

    @Test
    void midpointOfTheLargestBinDoesNotOverflow() {
        assertThat(new LengthBin(Integer.MAX_VALUE - 2, Integer.MAX_VALUE, 1).midpoint())
                .isEqualTo(Integer.MAX_VALUE - 1);
    }

    private static LengthDistribution randomDistribution(Random random) {
        List<LengthBin> bins = new ArrayList<>();
        int start = 0;
        for (int bin = 0; bin < 1 + random.nextInt(40); bin++) {
            int end = start + 1 + random.nextInt(5000);
            bins.add(new LengthBin(start, end, random.nextDouble() + 1e-9));
            start = end + random.nextInt(3);
        }
        return new LengthDistribution(bins);
    }

    private static RepresentativeLength length(JsonNode row) {
        return new RepresentativeLength(
                row.required("num_input_tokens").intValue(),
                row.required("query_len").intValue(),
                row.required("request_ratio").doubleValue());
    }
}
