package io.throughputoptimizer.core.operator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Product of two matrices that are not quantized: `[M, K] x [K, N] -> [M, N]`, or of several pairs of them.
///
/// Reads both operands and the bias, writes the result; `2 M N K` matrix operations in the operands' type. A
/// bias adds no arithmetic.
///
/// @param left `[M, K]`
/// @param right `[K, N]`
/// @param bias `[N]` or absent
/// @param result `[M, N]`
public record MatMul(Tensor left, Tensor right, @Nullable Tensor bias, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        if (left.rank() > 2) {
            return "aten.bmm.default";
        }
        return bias == null ? "aten.mm.default" : "aten.addmm.default";
    }

    @Override
    public List<Tensor> inputs() {
        return bias == null ? List.of(left, right) : List.of(bias, left, right);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.moving(inputs(), outputs())
                .withMatrix(left.type(), result.elements().times(2 * left.last()));
    }
}
