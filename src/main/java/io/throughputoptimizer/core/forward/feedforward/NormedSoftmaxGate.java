package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.LayerNorms;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

/// Router of Gemma 4: the residual stream behind a norm without a weight, times a vector and a number, softmax in
/// float32, the best experts, normalized and times a number of each, in float32 too. Experts take the stream behind
/// another norm.
final class NormedSoftmaxGate implements ExpertGate {
    private final LayerNorms norms;
    private final GateOperators gate;
    private final PassRecorder pass;

    NormedSoftmaxGate(LayerNorms norms, GateOperators gate) {
        this.norms = norms;
        this.gate = gate;
        this.pass = gate.pass();
    }

    /// @param stream the residual stream, `[1, N, h]`
    @Override
    public Routed route(Tensor stream, TokenShare share) {
        Tensor taken = share.enter(stream);
        Tensor rows = norms.bareNorm(gate.rows(taken));
        Tensor scaled = multiply(multiply(rows, Tensor.half(rows.last())), Tensor.half(1));
        Tensor scores = wide(gate.scores(scaled));
        TopK best = gate.bestExperts(TopK.Kind.PLAIN, chances(scores));
        Tensor normalized = gate.normalize(best.values());
        Tensor ofExperts = gate.gather(Tensor.half(scores.last()), best.indices());
        return new Routed(norms.norm(taken), multiply(normalized, ofExperts), best.indices());
    }

    private Tensor chances(Tensor scores) {
        return norms.areCompiled() ? gate.softmax(scores) : pass.elementwise(Kind.SOFTMAX, scores.sameShape(), scores);
    }

    private Tensor multiply(Tensor values, Tensor factors) {
        return pass.elementwise(Kind.MULTIPLY, values.sameShape(), values, factors);
    }

    private Tensor wide(Tensor scores) {
        return pass.elementwise(norms.areCompiled() ? Kind.CONVERT : Kind.CAST, scores.as(DataType.FLOAT32), scores);
    }
}
