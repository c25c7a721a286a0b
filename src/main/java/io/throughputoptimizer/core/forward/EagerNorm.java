package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// Root-mean-square norm in an eager graph: eight operators, in float32 between the two casts.
final class EagerNorm {
    private final PassRecorder pass;

    EagerNorm(PassRecorder pass) {
        this.pass = pass;
    }

    /// @param input `[..., width]`
    Tensor apply(Tensor input) {
        Tensor wide = pass.elementwise(Kind.CAST, input.as(DataType.FLOAT32), input);
        Tensor squares = pass.elementwise(Kind.POWER, wide.sameShape(), wide);
        Tensor mean = pass.elementwise(Kind.MEAN, wide.withLast(1), squares);
        Tensor shifted = pass.elementwise(Kind.ADD, mean.sameShape(), mean);
        Tensor factor = pass.elementwise(Kind.RECIPROCAL_SQUARE_ROOT, mean.sameShape(), shifted);
        Tensor scaled = pass.elementwise(Kind.MULTIPLY, wide.sameShape(), wide, factor);
        Tensor narrow = pass.elementwise(Kind.CAST, input.sameShape(), scaled);
        Tensor weight = Tensor.half(input.last());
        return pass.elementwise(Kind.MULTIPLY, input.sameShape(), weight, narrow);
    }
}
