package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.InPlaceDivide;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

/// Router of GLM-4.5 and GLM-5.2 in an eager graph: that of [RawLogitsGate] in single steps, after the model's
/// own gate, which the reference runs on all tokens without using its choice.
final class EagerRawLogitsGate implements ExpertGate {
    private static final int SCORES_PER_GROUP = 2;

    private final Router.GroupLimited own;
    private final GateOperators gate;
    private final PassRecorder pass;

    EagerRawLogitsGate(Router.GroupLimited own, GateOperators gate) {
        this.own = own;
        this.gate = gate;
        this.pass = gate.pass();
    }

    @Override
    public Routed route(Tensor hidden, TokenShare share) {
        if (!share.shard().hasExpertParallelism()) {
            Tensor taken = share.enter(hidden);
            return choose(taken, ownScores(taken));
        }
        Tensor rows = gate.rows(hidden);
        return switch (share.shard().path()) {
            case SLICED -> {
                Tensor scores = share.slice(ownScores(rows));
                yield choose(share.slice(rows), scores);
            }
            case DIRECT, GATHERED -> choose(rows, ownScores(rows));
        };
    }

    /// Scores as the model's own gate makes them, whose further steps have no use here.
    private Tensor ownScores(Tensor tokens) {
        Tensor wide = cast(gate.rows(tokens), DataType.FLOAT32);
        Tensor matrix = cast(Tensor.half(gate.shard().experts(), wide.last()), DataType.FLOAT32);
        Tensor scores = gate.scores(wide, pass.view(matrix, matrix.permuted(1, 0)));
        chooseByGroups(scores);
        return scores;
    }

    private void chooseByGroups(Tensor scores) {
        Tensor chances = gate.sigmoid(scores);
        Tensor corrected = gate.correct(chances, Tensor.of(DataType.FLOAT32, scores.last()));
        Tensor inside = cast(widen(groupMask(corrected), scores), DataType.BOOL);
        Tensor outside = pass.elementwise(Kind.BITWISE_NOT, inside.sameShape(), inside);
        Tensor limited = pass.elementwise(Kind.MASKED_FILL, corrected.sameShape(), corrected, outside);
        Tensor weights =
                gate.gather(chances, gate.bestExperts(TopK.Kind.PLAIN, limited).indices());
        Tensor sum = gate.rowSum(weights);
        Tensor shifted = pass.elementwise(Kind.ADD, sum.sameShape(), sum);
        pass.addEffect(new InPlaceDivide(weights, shifted));
        pass.elementwise(Kind.MULTIPLY, weights.sameShape(), weights);
    }

    /// 1 for each chosen group, `[N, groups]`.
    private Tensor groupMask(Tensor scores) {
        Form rows = scores.size(0);
        Tensor grouped = pass.view(scores, rows, own.groups(), scores.last() / own.groups());
        Tensor pairs = gate.best(TopK.Kind.PLAIN, grouped, SCORES_PER_GROUP).values();
        Tensor groupScores = pass.elementwise(Kind.SUM, Tensor.of(DataType.FLOAT32, rows, own.groups()), pairs);
        Tensor chosen =
                gate.best(TopK.Kind.PLAIN, groupScores, own.selectedGroups()).indices();
        Tensor none = pass.elementwise(Kind.ZEROS_LIKE, groupScores.sameShape(), groupScores);
        return pass.elementwise(Kind.SCATTER_IN_PLACE, groupScores.sameShape(), none, chosen);
    }

    private Tensor widen(Tensor mask, Tensor scores) {
        return pass.view(mask, scores.size(0), scores.last());
    }

    private Routed choose(Tensor taken, Tensor scores) {
        TopK best = gate.bestExperts(TopK.Kind.SOFTMAX, scores);
        pass.addEffect(new InPlaceDivide(best.values(), gate.rowSum(best.values())));
        return new Routed(taken, cast(best.values(), DataType.FLOAT16), best.indices());
    }

    private Tensor cast(Tensor input, DataType type) {
        return pass.elementwise(Kind.CAST, input.as(type), input);
    }
}
