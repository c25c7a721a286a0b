package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.Operator;
import java.util.List;

/// The operators of one pass in order. Equal layers are written down once and repeated.
record ForwardPass(List<Segment> segments) {

    /// Operators that run `repetitions` times in a row, each time on tensors of their own; a tensor that other
    /// segments use too is the same one every time.
    record Segment(List<Operator> operators, int repetitions) {
        Segment {
            operators = List.copyOf(operators);
        }
    }

    ForwardPass {
        segments = List.copyOf(segments);
    }
}
