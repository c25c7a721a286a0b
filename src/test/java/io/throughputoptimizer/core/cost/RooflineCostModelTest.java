package io.throughputoptimizer.core.cost;

import static io.throughputoptimizer.core.cost.TestDevice.BANDWIDTH;
import static io.throughputoptimizer.core.cost.TestDevice.COMPUTE_EFFICIENCY;
import static io.throughputoptimizer.core.cost.TestDevice.GENERAL_FLOAT;
import static io.throughputoptimizer.core.cost.TestDevice.GENERAL_HALF;
import static io.throughputoptimizer.core.cost.TestDevice.GENERAL_STATIC;
import static io.throughputoptimizer.core.cost.TestDevice.MATRIX_HALF;
import static io.throughputoptimizer.core.cost.TestDevice.MATRIX_STATIC;
import static io.throughputoptimizer.core.cost.TestDevice.MEMORY_EFFICIENCY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.MatMul;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.Attention;
import io.throughputoptimizer.core.operator.attention.LatentProjection;
import java.util.List;
import org.junit.jupiter.api.Test;

class RooflineCostModelTest {
    @Test
    void aLargeProductIsBoundByItsMatrixUnits() {
        int size = 4096;
        OperatorCost cost = TestDevice.cost(product(size, size, size));

        assertThat(cost.seconds())
                .isCloseTo(
                        2.0 * size * size * size / (MATRIX_HALF * COMPUTE_EFFICIENCY) + MATRIX_STATIC, within(1e-15));
        assertThat(cost.bound()).isEqualTo(OperatorCost.Bound.COMPUTE);
    }

    @Test
    void aProductOfOneRowIsBoundByReadingItsWeight() {
        int size = 4096;
        OperatorCost cost = TestDevice.cost(product(1, size, size));

        double bytes = 2.0 * (size + (double) size * size + size);
        assertThat(cost.seconds()).isCloseTo(bytes / (BANDWIDTH * MEMORY_EFFICIENCY) + MATRIX_STATIC, within(1e-15));
        assertThat(cost.bound()).isEqualTo(OperatorCost.Bound.MEMORY);
    }

    @Test
    void matrixAndGeneralUnitsTakeTurns() {
        Attention attention = attention(DataType.FLOAT16);
        double matrix =
                attention.work().computations().getFirst().operations().number() / (MATRIX_HALF * COMPUTE_EFFICIENCY);
        double general =
                attention.work().computations().getLast().operations().number() / (GENERAL_HALF * COMPUTE_EFFICIENCY);

        assertThat(TestDevice.cost(attention).seconds()).isCloseTo(matrix + general + MATRIX_STATIC, within(1e-15));
    }

    @Test
    void workInATypeTheDeviceDoesNotListTakesNoTimeAndNoMatrixStaticCost() {
        Attention attention = attention(DataType.FLOAT8_E4M3);
        double general =
                attention.work().computations().getLast().operations().number() / (GENERAL_HALF * COMPUTE_EFFICIENCY);

        OperatorCost cost = TestDevice.cost(attention);

        assertThat(cost.matrixSeconds()).isZero();
        assertThat(cost.seconds()).isCloseTo(general + GENERAL_STATIC, within(1e-15));
    }

    @Test
    void aNormChargesFiveOperationsAnElementInFloat32() {
        Tensor input = Tensor.half(1, 100, 4096);
        OperatorCost cost = TestDevice.cost(DeviceOperators.rmsNorm(input, Tensor.half(4096), input.sameShape()));

        assertThat(cost.generalSeconds())
                .isCloseTo(5 * 100 * 4096 / (GENERAL_FLOAT * COMPUTE_EFFICIENCY), within(1e-15));
    }

    @Test
    void aLatentProjectionPaysSixteenStaticCosts() {
        LatentProjection projection = latentProjection();
        OperatorCost cost = TestDevice.cost(projection);

        double busy = Math.max(cost.memorySeconds(), cost.computeSeconds());
        assertThat(cost.seconds()).isCloseTo(busy + 16 * MATRIX_STATIC, within(1e-15));
    }

    @Test
    void anOperatorWithoutWorkIsFreeOfStaticCost() {
        Tensor empty = Tensor.half(0, 4096);

        assertThat(TestDevice.cost(DeviceOperators.swiGlu(empty, empty.sameShape(), empty.sameShape())))
                .isEqualTo(OperatorCost.FREE);
    }

    private static LatentProjection latentProjection() {
        int tokens = 10;
        int rotated = 8;
        return new LatentProjection(
                Tensor.half(tokens, 64),
                Tensor.half(1, tokens, rotated),
                Tensor.half(1, tokens, rotated),
                new LatentProjection.Weights(
                        Tensor.half(64, 32), Tensor.half(32, 4 * 24), Tensor.half(64, 16 + rotated), List.of()),
                new LatentProjection.Norms(Tensor.half(32), Tensor.half(16)),
                new LatentProjection.Result(
                        Tensor.half(tokens, 4, 24),
                        Tensor.half(tokens, 16),
                        Tensor.half(tokens, rotated),
                        Tensor.half(tokens, 32)));
    }

    private static MatMul product(long rows, long inner, long columns) {
        return new MatMul(Tensor.half(rows, inner), Tensor.half(inner, columns), null, Tensor.half(rows, columns));
    }

    private static Attention attention(DataType cacheType) {
        Tensor half = Tensor.of(cacheType, 2, 128, 8, 128);
        List<Tensor> scales = cacheType == DataType.FLOAT16 ? List.of() : List.of(Tensor.of(DataType.FLOAT32));
        return new Attention(
                Tensor.of(cacheType, 200, 32 * 128),
                half,
                half.sameShape(),
                List.of(),
                scales,
                new Attention.Load(Form.of(200.0 * 20_000), Form.of(200)),
                Tensor.half(200, 32 * 128));
    }
}
