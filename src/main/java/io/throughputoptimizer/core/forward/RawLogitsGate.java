package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.TopK;

/// Router of DeepSeek-V3 and GLM-5 in a compiled graph: scores in float32, softmax and choice in one operator. Where
/// tensor parallel ranks take a part of the tokens each, the scores of all tokens come before.
final class RawLogitsGate implements ExpertGate {
    private final GateOperators gate;

    RawLogitsGate(GateOperators gate) {
        this.gate = gate;
    }

    @Override
    public Routed route(Tensor tokens, TokenShare share) {
        return switch (share.shard().path()) {
            case SLICED -> {
                Tensor scores = share.slice(scores(tokens));
                yield choose(share.enter(tokens), scores);
            }
            case DIRECT, GATHERED -> {
                Tensor taken = share.enter(tokens);
                yield choose(taken, scores(taken));
            }
        };
    }

    private Tensor scores(Tensor tokens) {
        return gate.scores(gate.convert(tokens, DataType.FLOAT32));
    }

    private Routed choose(Tensor taken, Tensor scores) {
        TopK best = gate.bestExperts(TopK.Kind.SOFTMAX, scores);
        Tensor weights = gate.convert(gate.normalize(best.values()), DataType.FLOAT16);
        return new Routed(taken, weights, best.indices());
    }
}
