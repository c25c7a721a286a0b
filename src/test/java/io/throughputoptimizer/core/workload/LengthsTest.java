package io.throughputoptimizer.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class LengthsTest {

    static Stream<Arguments> fixedLengths() {
        return OptimizerVectors.arguments(OptimizerVectors.common("effective_length_fixed"));
    }

    @ParameterizedTest
    @MethodSource("fixedLengths")
    void prefixCacheShortensPrefillAndLeavesDecodeAsItIs(JsonNode vector) {
        Lengths lengths = new Lengths.Fixed(vector.required("input_length").intValue());
        double hitRate = vector.required("prefix_cache_hit_rate").doubleValue();

        assertThat(lengths.effectiveLength(hitRate))
                .isEqualTo(vector.required("prefill_effective").intValue());
        assertThat(lengths.decodeContext(hitRate))
                .isEqualTo(vector.required("decode_effective").intValue());
    }

    @Test
    void decodeContextIsInputAndHalfOfOutputAndTheNewTokens() {
        assertThat(new Workload(new Lengths.Fixed(3500), 1501, 0.5, null).decodeSequenceLength(4))
                .isEqualTo(1501 / 2 + 3500 + 4);
    }

    @Test
    void aMixDecodesWithItsMeanEffectiveLength() {
        LengthDistribution distribution =
                new LengthDistribution(List.of(new LengthBin(0, 1000, 1), new LengthBin(1000, 2000, 1)));

        assertThat(new Workload(new Lengths.Mixed(distribution), 100, 0.5, null).decodeSequenceLength(1))
                .isEqualTo(100 / 2 + (250 + 750) / 2 + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4095, 4096, 4097, 1_000_003, Integer.MAX_VALUE})
    void evenTheHighestHitRateLeavesATokenToCompute(int inputTokens) {
        assertThat(new Lengths.Fixed(inputTokens).effectiveLength(Math.nextDown(1.0)))
                .isEqualTo(1);
    }
}
