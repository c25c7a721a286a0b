package io.throughputoptimizer.core.forward.layer;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// Root-mean-square norm in single operators in float32, times its weight or `1 + w`, or without one. A compiled graph
/// folds the sum into a constant, an eager one computes it each time.
///
/// @param pass recorder of operators
record SteppedNorm(PassRecorder pass, boolean compiled, Weight weight) {
    /// The factor of a norm.
    enum Weight {
        NONE,
        PLAIN,
        SHIFTED
    }

    static SteppedNorm bare(PassRecorder pass, boolean compiled) {
        return new SteppedNorm(pass, compiled, Weight.NONE);
    }

    static SteppedNorm plain(PassRecorder pass, boolean compiled) {
        return new SteppedNorm(pass, compiled, Weight.PLAIN);
    }

    static SteppedNorm shifted(PassRecorder pass, boolean compiled) {
        return new SteppedNorm(pass, compiled, Weight.SHIFTED);
    }

    Tensor apply(Tensor input) {
        Tensor wide = convert(input, DataType.FLOAT32);
        Tensor squares = pass.elementwise(Kind.POWER, wide.sameShape(), wide);
        Tensor mean = pass.elementwise(Kind.MEAN, wide.withLast(1), squares);
        Tensor raised = pass.elementwise(Kind.ADD, mean.sameShape(), mean);
        Tensor factor = pass.elementwise(Kind.RECIPROCAL_SQUARE_ROOT, mean.sameShape(), raised);
        Tensor normed = pass.elementwise(Kind.MULTIPLY, wide.sameShape(), wide, factor);
        return convert(scaled(normed), DataType.FLOAT16);
    }

    private Tensor scaled(Tensor normed) {
        return switch (weight) {
            case NONE -> normed;
            case PLAIN -> multiply(normed, Tensor.half(normed.last()));
            case SHIFTED -> multiply(normed, shiftedWeight(normed.last()));
        };
    }

    private Tensor multiply(Tensor normed, Tensor factors) {
        return pass.elementwise(Kind.MULTIPLY, normed.sameShape(), normed, factors);
    }

    private Tensor shiftedWeight(long width) {
        if (compiled) {
            return Tensor.of(DataType.FLOAT32, width);
        }
        Tensor stored = convert(Tensor.half(width), DataType.FLOAT32);
        return pass.elementwise(Kind.ADD, stored.sameShape(), stored);
    }

    private Tensor convert(Tensor input, DataType type) {
        return pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, input.as(type), input);
    }
}
