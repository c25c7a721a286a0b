package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

/// Router of ERNIE-4.5: softmax in float32, in single steps when compiled, the best experts by corrected scores,
/// normalized by a sum that is bounded from below.
final class CorrectedSoftmaxGate implements ExpertGate {
    private final boolean compiled;
    private final GateOperators gate;
    private final PassRecorder pass;

    CorrectedSoftmaxGate(boolean compiled, GateOperators gate) {
        this.compiled = compiled;
        this.gate = gate;
        this.pass = gate.pass();
    }

    @Override
    public Routed route(Tensor hidden, TokenShare share) {
        Tensor taken = share.enter(hidden);
        Tensor scores = gate.scores(cast(gate.rows(taken), DataType.FLOAT32));
        Tensor chances = compiled ? gate.softmax(scores) : pass.elementwise(Kind.SOFTMAX, scores.sameShape(), scores);
        Tensor corrected = gate.correct(chances, Tensor.of(DataType.FLOAT32, scores.last()));
        Tensor indices = gate.bestExperts(TopK.Kind.PLAIN, corrected).indices();
        Tensor weights = gate.gather(chances, indices);
        Tensor sum = gate.rowSum(weights);
        Tensor bounded = pass.elementwise(compiled ? Kind.CLAMP_MINIMUM : Kind.CLAMP, sum.sameShape(), sum);
        return new Routed(taken, cast(gate.divide(weights, bounded), DataType.FLOAT16), indices);
    }

    private Tensor cast(Tensor input, DataType type) {
        return pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, input.as(type), input);
    }
}
