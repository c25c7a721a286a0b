package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

/// Router of DeepSeek-V3 and GLM-5 in a compiled graph: scores in float32, softmax and choice in one operator. Where
/// tensor parallel ranks take a part of the tokens each, the scores of all tokens come before.
final class RawLogitsGate implements ExpertGate {
    private final GateOperators gate;

    RawLogitsGate(GateOperators gate) {
        this.gate = gate;
    }

    @Override
    public Routed route(Tensor hidden, TokenShare share) {
        if (!share.shard().hasExpertParallelism()) {
            Tensor taken = share.enter(hidden);
            return choose(taken, scores(taken));
        }
        Tensor rows = gate.rows(hidden);
        return switch (share.shard().path()) {
            case SLICED -> {
                Tensor scores = share.slice(scores(rows));
                yield choose(share.slice(rows), scores);
            }
            case DIRECT, GATHERED -> choose(rows, scores(rows));
        };
    }

    private Tensor scores(Tensor rows) {
        return gate.scores(gate.convert(gate.rows(rows), DataType.FLOAT32));
    }

    private Routed choose(Tensor taken, Tensor scores) {
        TopK best = gate.bestExperts(TopK.Kind.SOFTMAX, scores);
        Tensor weights = gate.convert(gate.normalize(best.values()), DataType.FLOAT16);
        return new Routed(taken, weights, best.indices());
    }
}
