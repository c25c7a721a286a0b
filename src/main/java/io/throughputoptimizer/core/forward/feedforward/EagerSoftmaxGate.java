package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.InPlaceDivide;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

/// Router of Qwen3-MoE in an eager graph: softmax in one operator in float32, the best experts, normalized in place.
final class EagerSoftmaxGate implements ExpertGate {
    private final GateOperators gate;
    private final PassRecorder pass;

    EagerSoftmaxGate(GateOperators gate) {
        this.gate = gate;
        this.pass = gate.pass();
    }

    @Override
    public Routed route(Tensor hidden, TokenShare share) {
        Tensor taken = share.enter(hidden);
        Tensor rows = taken.rank() == 2 ? pass.firstRows(taken, taken.size(0)) : pass.flatten(taken);
        Tensor scores = cast(gate.scores(rows), DataType.FLOAT32);
        Tensor chances = pass.elementwise(Kind.SOFTMAX, scores.sameShape(), scores);
        TopK best = gate.bestExperts(TopK.Kind.PLAIN, chances);
        pass.addEffect(new InPlaceDivide(best.values(), gate.rowSum(best.values())));
        Tensor weights = cast(best.values(), DataType.FLOAT16);
        return new Routed(taken, weights, best.indices());
    }

    private Tensor cast(Tensor input, DataType type) {
        return pass.elementwise(Kind.CAST, input.as(type), input);
    }
}
