package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

/// Router of Qwen3-MoE in a compiled graph: softmax in single steps in float32, the best experts, normalized.
final class SoftmaxGate implements ExpertGate {
    private final GateOperators gate;
    private final PassRecorder pass;

    SoftmaxGate(GateOperators gate) {
        this.gate = gate;
        this.pass = gate.pass();
    }

    @Override
    public Routed route(Tensor hidden, TokenShare share) {
        Tensor taken = share.enter(hidden);
        Tensor scores = gate.convert(gate.scores(gate.rows(taken)), DataType.FLOAT32);
        Tensor largest = pass.elementwise(Kind.MAXIMUM, scores.withLast(1), scores);
        Tensor shifted = pass.elementwise(Kind.SUBTRACT, scores.sameShape(), scores, largest);
        Tensor exponentials = pass.elementwise(Kind.EXPONENTIAL, scores.sameShape(), shifted);
        TopK best = gate.bestExperts(TopK.Kind.PLAIN, gate.normalize(exponentials));
        Tensor weights = gate.convert(gate.normalize(best.values()), DataType.FLOAT16);
        return new Routed(taken, weights, best.indices());
    }
}
