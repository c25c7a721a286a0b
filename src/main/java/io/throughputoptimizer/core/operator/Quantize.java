package io.throughputoptimizer.core.operator;

import java.util.List;

/// Quantizes with a stored scale; memory traffic alone.
///
/// @param input any shape, float16
/// @param scale 4-byte scalar
/// @param result the input's shape, 8 bits an element
public record Quantize(Tensor input, Tensor scale, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.quantize.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(input, scale);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }
}
