package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

/// Router of MiniMax-M3: sigmoid, correction, choice and normalization in one operator, in float32.
///
/// @param conversion between types, as the graph calls it
record FusedSigmoidGate(GateOperators gate, Kind conversion) implements ExpertGate {
    @Override
    public Routed route(Tensor hidden, TokenShare share) {
        Tensor taken = share.enter(hidden);
        Tensor scores = convert(gate.scores(gate.rows(taken)), DataType.FLOAT32);
        Tensor bias = Tensor.half(scores.last());
        TopK best = gate.bestExperts(TopK.Kind.SIGMOID, scores, bias);
        return new Routed(taken, convert(best.values(), DataType.FLOAT16), best.indices());
    }

    private Tensor convert(Tensor input, DataType type) {
        return gate.pass().elementwise(conversion, input.as(type), input);
    }
}
