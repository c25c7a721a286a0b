package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

/// Router of Qwen3-MoE in a compiled graph: softmax in single steps in float32, the best experts, normalized.
final class SoftmaxGate implements ExpertGate {
    private final GateOperators gate;

    SoftmaxGate(GateOperators gate) {
        this.gate = gate;
    }

    @Override
    public Routed route(Tensor hidden, TokenShare share) {
        Tensor taken = share.enter(hidden);
        Tensor scores = gate.convert(gate.scores(gate.rows(taken)), DataType.FLOAT32);
        TopK best = gate.bestExperts(TopK.Kind.PLAIN, gate.softmax(scores));
        Tensor weights = gate.convert(gate.normalize(best.values()), DataType.FLOAT16);
        return new Routed(taken, weights, best.indices());
    }
}
