package io.throughputoptimizer.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VisionSpecTest {
    private static final ImagePatching PATCHING = new ImagePatching(3, 2, 16, 2, 65_536, 16_777_216);

    @Test
    void parametersAreThoseOfEmbeddingsBlocksAndMergers() {
        VisionSpec spec = new VisionSpec(5, 32, 48, 4, 100, PATCHING, List.of(1, 3));
        long embeddings = 3 * 2 * 16 * 16 * 32 + 32 + 100 * 32;
        long block = 2 * 2 * 32 + (32 * 96 + 96) + (32 * 32 + 32) + (32 * 48 + 48) + (48 * 32 + 32);
        long merger = (128 * 128 + 128) + (128 * 64 + 64);

        assertThat(spec.parameterCount(64))
                .isEqualTo(embeddings + 5 * block + (2 * 32 + merger) + 2 * (2 * 128 + merger));
    }

    @ParameterizedTest
    @MethodSource("unsoundDeepstacks")
    void deepstackBlocksAreAscendingAndWithinTheTower(List<Integer> blocks) {
        assertThatThrownBy(() -> new VisionSpec(5, 32, 48, 4, 100, PATCHING, blocks))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("deepstack blocks are " + blocks + ": ascending indices below 5 are needed");
    }

    static Stream<List<Integer>> unsoundDeepstacks() {
        return Stream.of(List.of(5), List.of(-1), List.of(2, 1), List.of(2, 2));
    }

    @Test
    void headsHaveFourEqualPartsToRotate() {
        assertThatThrownBy(() -> new VisionSpec(5, 40, 48, 4, 100, PATCHING, List.of()))
                .hasMessage("vision hidden size 40 is not a multiple of 4 heads of 4 rotated parts each");
    }
}
