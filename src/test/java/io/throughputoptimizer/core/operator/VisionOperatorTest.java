package io.throughputoptimizer.core.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Work of the operators that only a vision tower has.
class VisionOperatorTest {
    private static final int PATCHES = 8;

    @Test
    void embeddingAPatchIsAProductWhoseBiasCountsOnMatrixUnits() {
        int width = 3 * 2 * 16 * 16;
        DeviceOperator convolution = DeviceOperators.patchConvolution(
                Tensor.half(PATCHES, 3, 2, 16, 16),
                Tensor.half(32, 3, 2, 16, 16),
                Tensor.half(32),
                Tensor.half(PATCHES, 32));

        assertThat(convolution.work())
                .isEqualTo(
                        OperatorWork.memory(Form.of(2 * (PATCHES * width + 32 * width + 32)), Form.of(2 * PATCHES * 32))
                                .withMatrix(DataType.FLOAT16, Form.of(2 * width * 32 * PATCHES + PATCHES * 32)));
    }

    @Test
    void aLayerNormWritesTwoStatisticsBesideItsResult() {
        Tensor statistic = Tensor.of(DataType.FLOAT32, PATCHES, 1);
        DeviceOperator norm = DeviceOperators.layerNorm(
                Tensor.half(PATCHES, 32),
                Tensor.half(32),
                Tensor.half(32),
                Tensor.half(PATCHES, 32),
                List.of(statistic, statistic.sameShape()));

        assertThat(norm.work())
                .isEqualTo(OperatorWork.memory(
                        Form.of(2 * (PATCHES * 32 + 2 * 32)), Form.of(2 * PATCHES * 32 + 2 * 4 * PATCHES)));
    }

    @Test
    void indexOperatorsMoveAnIntegerAPatchEachAndPayTheirStaticCosts() {
        DeviceOperator indexing = DeviceOperators.patchIndexing(
                Tensor.of(DataType.INT64, 2, 3),
                Form.of(75),
                Tensor.of(DataType.INT64, PATCHES, 4),
                Tensor.of(DataType.FLOAT32, PATCHES, 4),
                Tensor.of(DataType.INT64, PATCHES, 2));

        assertThat(indexing.work())
                .isEqualTo(OperatorWork.memory(Form.of(75 * 8 * PATCHES), Form.of(75 * 8 * PATCHES))
                        .withExtraLaunches(Form.of(75 - 1)));
    }
}
