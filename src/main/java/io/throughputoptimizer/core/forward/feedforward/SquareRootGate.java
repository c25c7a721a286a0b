package io.throughputoptimizer.core.forward.feedforward;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.GatingTopK;

/// Router of DeepSeek-V4: the square root of softplus in float32, then the best by corrected scores, or those
/// that a table has for the token. The reference reads the whole table.
final class SquareRootGate implements ExpertGate {
    private final boolean hashed;
    private final boolean compiled;
    private final GateOperators gate;
    private final PassRecorder pass;

    SquareRootGate(boolean hashed, boolean compiled, GateOperators gate) {
        this.hashed = hashed;
        this.compiled = compiled;
        this.gate = gate;
        this.pass = gate.pass();
    }

    @Override
    public Routed route(Tensor hidden, TokenShare share) {
        Tensor taken = share.enter(hidden);
        Tensor scores = scores(gate.rows(taken));
        GatingTopK best = choose(pass.elementwise(Kind.SQUARE_ROOT, scores.sameShape(), scores));
        return new Routed(taken, cast(best.weights(), DataType.FLOAT16), best.indices());
    }

    private Tensor scores(Tensor rows) {
        Tensor wide = cast(rows, DataType.FLOAT32);
        if (!compiled) {
            Tensor matrix = cast(Tensor.half(gate.shard().experts(), wide.last()), DataType.FLOAT32);
            Tensor logits = gate.scores(wide, pass.view(matrix, matrix.permuted(1, 0)));
            return pass.elementwise(Kind.SOFTPLUS, logits.sameShape(), logits);
        }
        Tensor logits = gate.scores(wide);
        Tensor large = pass.elementwise(Kind.GREATER, logits.as(DataType.BOOL), logits);
        Tensor exponentials = pass.elementwise(Kind.EXPONENTIAL, logits.sameShape(), logits);
        Tensor soft = pass.elementwise(Kind.LOG_ONE_PLUS, logits.sameShape(), exponentials);
        return pass.elementwise(Kind.WHERE, logits.sameShape(), large, logits, soft);
    }

    private GatingTopK choose(Tensor scores) {
        long count = gate.shard().expertsPerToken();
        Tensor weights = scores.withLast(count);
        GatingTopK best = new GatingTopK(
                scores,
                hashed ? null : Tensor.half(scores.last()),
                hashed ? table(weights) : null,
                weights,
                weights.as(DataType.INT64));
        pass.add(best);
        return best;
    }

    private GatingTopK.Table table(Tensor weights) {
        Tensor experts = gate.shard().expertTable();
        return new GatingTopK.Table(
                Tensor.of(DataType.INT64, 1, TOKENS.form()),
                experts,
                gate.shard().readsRows() ? Tensor.bytes(experts.type(), weights.elements()) : experts.bytes());
    }

    private Tensor cast(Tensor input, DataType type) {
        return pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, input.as(type), input);
    }
}
