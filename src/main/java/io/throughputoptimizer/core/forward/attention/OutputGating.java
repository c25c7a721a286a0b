package io.throughputoptimizer.core.forward.attention;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// Gates of the output of attention.
///
/// @param pass recorder of operators
record OutputGating(PassRecorder pass) {

    /// Gates as `[S, hq D]`, copied if they lie between the queries of several heads.
    Tensor gate(Tensor half, long heads) {
        return heads == 1 ? half : pass.elementwise(Kind.CLONE, half.sameShape(), half);
    }

    /// @param attended `[S, hq D]`
    Tensor apply(Tensor attended, Tensor gate) {
        Tensor share = pass.elementwise(Kind.SIGMOID, gate.sameShape(), gate);
        return pass.elementwise(Kind.MULTIPLY, attended.sameShape(), attended, share);
    }
}
