package io.throughputoptimizer.core.operator;

import java.util.List;
import java.util.stream.Stream;

/// Layer norm over the last dimension, in an eager graph; memory traffic alone: the reference charges no arithmetic.
///
/// @param input `[rows, width]`
/// @param weight `[width]`
/// @param bias `[width]`
/// @param result the input's shape
/// @param statistics mean and reciprocal deviation of each row, `[rows, 1]` each, float32
public record LayerNorm(Tensor input, Tensor weight, Tensor bias, Tensor result, List<Tensor> statistics)
        implements DeviceOperator {
    public LayerNorm {
        statistics = List.copyOf(statistics);
    }

    @Override
    public String name() {
        return "aten.native_layer_norm.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(input, weight, bias);
    }

    @Override
    public List<Tensor> outputs() {
        return Stream.concat(Stream.of(result), statistics.stream()).toList();
    }
}
