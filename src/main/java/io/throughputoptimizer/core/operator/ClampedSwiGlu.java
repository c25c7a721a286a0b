package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;

/// Gated activation of MiniMax-M3, `gate sigmoid(alpha gate) (up + 1)` on values within a limit, fused: reads
/// gate and up, writes the result; `7 n(result)` general operations in float16.
///
/// @param gate `[..., width]`
/// @param up the same shape
/// @param result the same shape
public record ClampedSwiGlu(Tensor gate, Tensor up, Tensor result) implements DeviceOperator {
    /// General operations for each element.
    static final double OPERATIONS = 7;

    @Override
    public String name() {
        return "tensor_cast.m3_swiglu.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(gate, up);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.moving(inputs(), outputs())
                .withGeneral(DataType.FLOAT16, result.elements().times(OPERATIONS));
    }
}
