package io.throughputoptimizer.core.forward.pass;

import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// The operators of one pass in order. What repeats, such as equal layers or equal experts of a layer, is written
/// down once.
public record ForwardPass(Segment root) {

    /// A part of a pass.
    public sealed interface Step permits Call, Segment {}

    /// One operator.
    public record Call(Operator operator) implements Step {}

    /// Steps that run `repetitions` times in a row, each time on tensors of their own; a tensor that is used
    /// outside as well is the same one every time.
    ///
    /// @param inputs tensors of which there is one for each repetition even if other segments use them: the n-th
    ///     repetitions of all segments that name them share the n-th one
    public record Segment(List<Step> steps, Form repetitions, List<Tensor> inputs) implements Step {
        public Segment {
            steps = List.copyOf(steps);
            inputs = List.copyOf(inputs);
        }
    }
}
