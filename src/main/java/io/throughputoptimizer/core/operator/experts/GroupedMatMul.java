package io.throughputoptimizer.core.operator.experts;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Products of several experts in one operator, not quantized: each of `x` experts multiplies its own rows, `R`
/// of them in all, by its own weight `[K, N]`.
///
/// Reads the rows and all weights, writes the result; `2 R N K` matrix operations in the operands' type. With the
/// gated activation fused the result is half as wide, `I = N / 2`, and `7 R I` general operations are added.
///
/// @param rows `[R, K]`
/// @param weights `[x, K, N]`
/// @param gated whether `silu(gate) * up` of the two halves is fused
/// @param result `[R, N]`, or `[R, N / 2]` when gated
public record GroupedMatMul(Tensor rows, Tensor weights, boolean gated, Tensor result) implements DeviceOperator {
    /// General operations for each element of a fused gated activation.
    static final double GATED_OPERATIONS = 7;

    @Override
    public String name() {
        return gated ? "tensor_cast.grouped_matmul_swiglu.default" : "tensor_cast.grouped_matmul.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(rows, weights);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        OperatorWork work = OperatorWork.moving(inputs(), outputs())
                .withMatrix(rows.type(), rows.elements().times(2 * weights.last()));
        return gated ? work.withGeneral(DataType.FLOAT16, result.elements().times(GATED_OPERATIONS)) : work;
    }
}
