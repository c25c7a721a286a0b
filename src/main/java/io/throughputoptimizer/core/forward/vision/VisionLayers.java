package io.throughputoptimizer.core.forward.vision;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.MatMul;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Layers of the vision tower: never quantized, nothing fused, and every linear layer has a bias.
///
/// @param pass recorder of operators
record VisionLayers(PassRecorder pass) {
    /// @param input `[rows, width]`
    /// @return `[rows, outputWidth]`
    Tensor linear(Tensor input, long outputWidth) {
        Tensor weight = Tensor.half(input.last(), outputWidth);
        return pass.add(new MatMul(input, weight, Tensor.half(outputWidth), input.withLast(outputWidth)));
    }

    /// @param input `[rows, width]`
    Tensor norm(Tensor input) {
        Tensor statistic = input.as(DataType.FLOAT32).withLast(1);
        return pass.add(DeviceOperators.layerNorm(
                input,
                Tensor.half(input.last()),
                Tensor.half(input.last()),
                input.sameShape(),
                List.of(statistic, statistic.sameShape())));
    }

    /// Two linear layers with an activation in between.
    Tensor network(Tensor input, long innerWidth, long outputWidth) {
        Tensor inner = linear(input, innerWidth);
        return linear(pass.elementwise(Kind.GELU, inner.sameShape(), inner), outputWidth);
    }
}
