package io.throughputoptimizer.core.operator;

import java.util.List;

/// Quantizes with a scale computed from the input, one for the whole tensor; memory traffic alone.
///
/// @param input any shape, float16
/// @param result the input's shape, int8
/// @param scale 4-byte scalar
public record DynamicQuantize(Tensor input, Tensor result, Tensor scale) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.dynamic_quantize_symmetric.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(input);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result, scale);
    }
}
