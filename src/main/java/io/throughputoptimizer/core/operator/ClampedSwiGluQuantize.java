package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;

/// [ClampedSwiGlu] whose result is quantized with one scale for each row, fused.
///
/// The reference has it read gate and up and then one of them again, and write result and scales twice; `7 n(result)`
/// general operations in float16.
///
/// @param gate `[n, width]`, float16
/// @param up the same
/// @param result the same shape, int8
/// @param scales `[n, 1]`, float32
public record ClampedSwiGluQuantize(Tensor gate, Tensor up, Tensor result, Tensor scales) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.m3_swiglu_quant.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(gate, up);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result, scales);
    }

    @Override
    public OperatorWork work() {
        Form read = OperatorWork.totalBytes(inputs()).plus(gate.bytes());
        return OperatorWork.memory(read, OperatorWork.totalBytes(outputs()).times(2))
                .withGeneral(DataType.FLOAT16, result.elements().times(ClampedSwiGlu.OPERATIONS));
    }
}
