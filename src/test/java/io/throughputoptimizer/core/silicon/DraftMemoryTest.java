package io.throughputoptimizer.core.silicon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.fixture.Silicon;
import org.junit.jupiter.api.Test;

class DraftMemoryTest {
    private static final SiliconDeployment PLAIN =
            Silicon.deployment("Qwen/Qwen3.5-397B-A17B", "b200_sxm", "sglang", Scheme.FP8_BLOCK, 4, 1, 1);

    /// Qwen3.5-397B on 4 ranks, by hand: 8 of 32 query heads of 256 elements with their gates, one key head,
    /// the output; 512 experts of 1024 / 4, as much of the shared one, the gate in 16 bit; the product that
    /// joins.
    @Test
    void itIsALayerOfTheModelAndAProduct() {
        double hidden = 4096;
        double attention = hidden * (2 * 8 + 2) * 256 + 8 * 256 * hidden;
        double experts = (512 + 1) * 3 * hidden * 256;
        double weight = Scheme.FP8_BLOCK.dense().weightBytes();
        double gate = 2 * hidden * 512;

        assertThat(DraftMemory.of(PLAIN.with(new Speculation(3, 2.6, 0.16)))).hasValueSatisfying(memory -> {
            assertThat(memory.weightBytes())
                    .isCloseTo((attention + experts + 2 * hidden * hidden) * weight + gate, withinPercentage(1e-9));
            assertThat(memory.bytesPerToken())
                    .isEqualTo(2 * 256.0 * PLAIN.precision().cache().bytes());
            assertThat(memory.words()).contains("1.56 GiB of weights");
        });
    }

    /// A step drafts nothing unless it is asked to; what is counted is the same either way.
    @Test
    void withoutDraftsThereIsNone() {
        assertThat(DraftMemory.of(PLAIN)).isEmpty();
        assertThat(DraftMemory.of(PLAIN.with(new Speculation(0, 1, 0.16)))).isEmpty();
        assertThat(SiliconMemory.of(PLAIN.with(new Speculation(3, 2.6, 0.16)))).isEqualTo(SiliconMemory.of(PLAIN));
    }
}
