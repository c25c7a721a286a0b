package io.throughputoptimizer.core.operator;

import java.util.List;

/// Divides a tensor in place. Reads both operands and writes the first; to the memory ledger it defines nothing.
///
/// @param values any shape
/// @param divisor broadcast to it
public record InPlaceDivide(Tensor values, Tensor divisor) implements DeviceOperator {
    @Override
    public String name() {
        return "aten.div_.Tensor";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(values, divisor);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of();
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.moving(inputs(), List.of(values));
    }
}
