package io.throughputoptimizer.core.operator;

import java.util.List;

/// An operator priced by the default rule: every operand is read once, the result written once, and no
/// arithmetic is charged.
///
/// @param operands tensors read; a broadcast one counts its stored size
/// @param result what is written
public record Elementwise(Kind kind, List<Tensor> operands, Tensor result) implements DeviceOperator {

    /// What is done with the operands.
    public enum Kind {
        ADD("aten.add.Tensor"),
        CAST("aten._to_copy.default"),
        CONCATENATE("aten.cat.default"),
        MEAN("aten.mean.dim"),
        MULTIPLY("aten.mul.Tensor"),
        NEGATE("aten.neg.default"),
        POWER("aten.pow.Tensor_Scalar"),
        RECIPROCAL_SQUARE_ROOT("aten.rsqrt.default"),
        SILU("aten.silu.default");

        private final String operatorName;

        Kind(String operatorName) {
            this.operatorName = operatorName;
        }
    }

    public Elementwise {
        operands = List.copyOf(operands);
    }

    @Override
    public String name() {
        return kind.operatorName;
    }

    @Override
    public List<Tensor> inputs() {
        return operands;
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.moving(inputs(), outputs());
    }
}
