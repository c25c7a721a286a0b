package io.throughputoptimizer.core.operator;

import java.util.List;

/// Products of several pairs of matrices that are not quantized: `[g, M, K] x [g, K, N] -> [g, M, N]`.
///
/// Reads both operands, writes the result; `2 g M N K` matrix operations in the operands' type.
///
/// @param left `[g, M, K]`
/// @param right `[g, K, N]`
/// @param result `[g, M, N]`
public record BatchMatMul(Tensor left, Tensor right, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        return "aten.bmm.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(left, right);
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
