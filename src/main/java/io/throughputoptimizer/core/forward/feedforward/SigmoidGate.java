package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

/// Router of MiniMax in a compiled graph: the best experts by corrected sigmoid, weights in float32.
final class SigmoidGate implements ExpertGate {
    private final GateOperators gate;

    SigmoidGate(GateOperators gate) {
        this.gate = gate;
    }

    @Override
    public Routed route(Tensor hidden, TokenShare share) {
        Tensor taken = share.enter(hidden);
        Tensor scores = gate.sigmoid(gate.convert(gate.scores(gate.rows(taken)), DataType.FLOAT32));
        Tensor corrected = gate.correct(scores, Tensor.half(scores.last()));
        Tensor indices = gate.bestExperts(TopK.Kind.PLAIN, corrected).indices();
        return new Routed(taken, gate.normalize(gate.gather(scores, indices)), indices);
    }
}
