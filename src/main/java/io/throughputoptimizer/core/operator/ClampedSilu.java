package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;

/// Gated activation of DeepSeek-V4's shared experts, `silu(gate) * up` on values within a limit, fused: reads gate and
/// up, writes the result; `11 n(result)` general operations in float16.
///
/// @param gate `[..., width]`
/// @param up the same shape
/// @param result the same shape
public record ClampedSilu(Tensor gate, Tensor up, Tensor result) implements DeviceOperator {
    private static final int OPERATIONS = 11;

    @Override
    public String name() {
        return "tensor_cast.v4_clamped_swiglu.default";
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
