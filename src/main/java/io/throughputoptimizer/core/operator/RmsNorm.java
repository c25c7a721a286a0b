package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;

/// Root-mean-square norm over the last dimension, fused.
///
/// Reads input and weight, writes the result; `5 n(input)` general operations in float32.
///
/// @param input `[..., width]`
/// @param weight `[width]`
/// @param result the input's shape
public record RmsNorm(Tensor input, Tensor weight, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.rms_norm.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(input, weight);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.moving(inputs(), outputs())
                .withGeneral(DataType.FLOAT32, input.elements().times(5));
    }
}
