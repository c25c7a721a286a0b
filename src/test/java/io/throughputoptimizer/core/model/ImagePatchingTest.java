package io.throughputoptimizer.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.core.model.ImagePatching.Grid;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImagePatchingTest {
    private static final int PATCH = 16;
    private static final int MERGE = 2;
    private static final int FACTOR = PATCH * MERGE;
    private static final ImagePatching QWEN3_VL = new ImagePatching(3, 2, PATCH, MERGE, 65_536, 16_777_216);

    /// Sizes measured on the reference.
    @ParameterizedTest
    @CsvSource({"1080, 1920, 68, 120, 2042", "448, 448, 28, 28, 198"})
    void documentedSizesBecomeTheMeasuredTokens(int height, int width, long rows, long columns, long tokens) {
        Grid grid = QWEN3_VL.grid(height, width);

        assertThat(grid).isEqualTo(new Grid(rows, columns));
        assertThat(grid.patches()).isEqualTo(rows * columns);
        assertThat(QWEN3_VL.tokens(grid)).isEqualTo(tokens);
    }

    @ParameterizedTest
    @CsvSource({
        "1000, 1000, 31, 31",
        "1008, 1040, 32, 32", // 31.5 and 32.5: the even neighbour
        "1009, 1039, 32, 32",
        "4096, 4096, 128, 128"
    })
    void edgesAreRoundedToTheNearestMultiple(int height, int width, long tokenRows, long tokenColumns) {
        assertThat(QWEN3_VL.grid(height, width)).isEqualTo(new Grid(tokenRows * MERGE, tokenColumns * MERGE));
    }

    @Test
    void smallImagesAreEnlarged() {
        long edge = (long) Math.sqrt(65_536) / FACTOR;

        assertThat(QWEN3_VL.grid(1, 1)).isEqualTo(new Grid(edge * MERGE, edge * MERGE));
        assertThat(QWEN3_VL.grid(100, 50)).isEqualTo(new Grid(12 * MERGE, 6 * MERGE)); // 362.04 x 181.02 pixels
    }

    @Test
    void largeImagesAreReduced() {
        assertThat(QWEN3_VL.grid(8192, 8192)).isEqualTo(new Grid(128 * MERGE, 128 * MERGE));
        assertThat(QWEN3_VL.grid(4000, 6000)).isEqualTo(new Grid(104 * MERGE, 156 * MERGE)); // 3344.4 x 5016.6 pixels
    }

    @Test
    void imagesOfAnUsualShapeStayWithinTheLimits() {
        Random random = new Random(20_251_015);
        for (int trial = 0; trial < 10_000; trial++) {
            int height = 1 + random.nextInt(20_000);
            int width = Math.max(1, (int) (height * Math.exp(4 * random.nextDouble() - 2)));

            Grid grid = QWEN3_VL.grid(height, width);

            assertThat((double) grid.patches() * PATCH * PATCH)
                    .as("%d x %d", height, width)
                    .isBetween(65_536.0, 16_777_216.0);
            assertThat(grid.rows() % MERGE + grid.columns() % MERGE).isZero();
        }
    }

    @Test
    void evenAnExtremelyNarrowImageIsOneTokenWide() {
        assertThat(QWEN3_VL.grid(1, 1_000_000).rows()).isEqualTo(MERGE);
        assertThat(QWEN3_VL.grid(1_000_000, 1).columns()).isEqualTo(MERGE);
    }

    @Test
    void limitsThatLeaveNoRoomAreRefused() {
        assertThatThrownBy(() -> new ImagePatching(3, 2, PATCH, MERGE, 10, 9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "min pixels is 10 and max pixels 9: the first must be positive, the second at least the first");
    }
}
