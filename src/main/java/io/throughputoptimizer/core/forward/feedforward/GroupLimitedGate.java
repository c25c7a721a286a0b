package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

/// Router of DeepSeek-V3.2 and Ling: in float32, groups ranked by their two best corrected scores, the best experts
/// within the best groups, normalized and scaled.
final class GroupLimitedGate implements ExpertGate {
    private static final int SCORES_PER_GROUP = 2;

    private final Router.GroupLimited router;
    private final boolean compiled;
    private final GateOperators gate;
    private final PassRecorder pass;

    GroupLimitedGate(Router.GroupLimited router, boolean compiled, GateOperators gate) {
        this.router = router;
        this.compiled = compiled;
        this.gate = gate;
        this.pass = gate.pass();
    }

    /// Type of the stored bias.
    static DataType biasType(Router.GroupLimited router) {
        return DataType.FLOAT16.bytes(1) == router.biasBytes() ? DataType.FLOAT16 : DataType.FLOAT32;
    }

    @Override
    public Routed route(Tensor hidden, TokenShare share) {
        Tensor taken = share.enter(hidden);
        Tensor scores = gate.sigmoid(scores(cast(gate.rows(taken), DataType.FLOAT32)));
        Tensor corrected = gate.correct(scores, Tensor.of(biasType(router), scores.last()));
        Tensor limited = limitToGroups(corrected, groupMask(corrected));
        Tensor indices = gate.bestExperts(TopK.Kind.PLAIN, limited).indices();
        Tensor weights = gate.gather(scores, indices);
        Tensor sum = gate.rowSum(weights);
        Tensor shifted = pass.elementwise(Kind.ADD, sum.sameShape(), sum);
        Tensor normalized = gate.divide(weights, shifted);
        Tensor scaled = pass.elementwise(Kind.MULTIPLY, normalized.sameShape(), normalized);
        return new Routed(taken, scaled, indices);
    }

    /// @param wide tokens in float32
    private Tensor scores(Tensor wide) {
        if (compiled) {
            return gate.scores(wide);
        }
        Tensor matrix = cast(Tensor.half(gate.shard().experts(), wide.last()), DataType.FLOAT32);
        return gate.scores(wide, pass.view(matrix, matrix.permuted(1, 0)));
    }

    private Tensor cast(Tensor input, DataType type) {
        return pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, input.as(type), input);
    }

    /// 1 for each expert of a chosen group, `[n, E]`.
    private Tensor groupMask(Tensor scores) {
        Form rows = scores.size(0);
        long groups = router.groups();
        Tensor grouped = pass.view(scores, rows, groups, scores.last() / groups);
        Tensor pairs = gate.best(TopK.Kind.PLAIN, grouped, SCORES_PER_GROUP).values();
        Tensor groupScores = Tensor.of(DataType.FLOAT32, rows, groups);
        pass.elementwise(Kind.SUM, groupScores, pairs);
        Tensor chosen =
                gate.best(TopK.Kind.PLAIN, groupScores, router.selectedGroups()).indices();
        Tensor none = compiled
                ? pass.unsafeView(groupScores, groupScores.sameShape())
                : pass.elementwise(Kind.ZEROS_LIKE, groupScores.sameShape(), groupScores);
        Kind scatter = compiled ? Kind.SCATTER : Kind.SCATTER_IN_PLACE;
        Tensor mask = pass.elementwise(scatter, groupScores.sameShape(), none, chosen);
        Tensor widened = pass.view(mask, rows, groups, scores.last() / groups);
        return pass.elementwise(Kind.CLONE, widened.sameShape(), widened);
    }

    private Tensor limitToGroups(Tensor scores, Tensor mask) {
        Tensor flat = pass.view(mask, scores.size(0), scores.last());
        Tensor inside = cast(flat, DataType.BOOL);
        Tensor outside = pass.elementwise(Kind.BITWISE_NOT, inside.sameShape(), inside);
        if (!compiled) {
            return pass.elementwise(Kind.MASKED_FILL, scores.sameShape(), scores, outside);
        }
        Tensor least = Tensor.of(DataType.FLOAT32);
        return pass.elementwise(Kind.WHERE, scores.sameShape(), outside, least, scores);
    }
}
