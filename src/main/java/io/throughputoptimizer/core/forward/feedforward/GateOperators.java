package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.MatMul;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;
import org.jspecify.annotations.Nullable;

/// Steps that the routers share. The gate's matrix is never quantized.
///
/// @param pass recorder of operators
record GateOperators(ExpertShard shard, PassRecorder pass) {
    /// Tokens as rows `[n, h]`.
    Tensor rows(Tensor tokens) {
        return tokens.rank() == 2 ? tokens : pass.flatten(tokens);
    }

    /// Scores `[n, E]` of `[n, h]` in the tokens' type.
    Tensor scores(Tensor tokens) {
        return scores(tokens, Tensor.of(tokens.type(), shard.hiddenSize(), shard.experts()));
    }

    /// @param gate `[h, E]`
    Tensor scores(Tensor tokens, Tensor gate) {
        Tensor result = Tensor.of(tokens.type(), tokens.size(0), shard.experts());
        return pass.add(new MatMul(tokens, gate, null, result));
    }

    Tensor convert(Tensor input, DataType type) {
        return pass.elementwise(Kind.CONVERT, input.as(type), input);
    }

    Tensor sigmoid(Tensor scores) {
        return pass.elementwise(Kind.SIGMOID, scores.sameShape(), scores);
    }

    /// Adds a bias of its own to each expert.
    ///
    /// @param bias `[E]`
    Tensor correct(Tensor scores, Tensor bias) {
        return pass.elementwise(Kind.ADD, scores.sameShape(), scores, bias);
    }

    TopK best(TopK.Kind kind, Tensor scores, long count) {
        return best(kind, scores, null, count);
    }

    private TopK best(TopK.Kind kind, Tensor scores, @Nullable Tensor bias, long count) {
        TopK best = new TopK(
                kind,
                scores,
                bias,
                scores.withLast(count),
                scores.as(DataType.INT64).withLast(count));
        pass.add(best);
        return best;
    }

    /// The experts of each token.
    TopK bestExperts(TopK.Kind kind, Tensor scores) {
        return best(kind, scores, shard.expertsPerToken());
    }

    /// The experts of each token by corrected scores.
    ///
    /// @param bias `[E]`
    TopK bestExperts(TopK.Kind kind, Tensor scores, Tensor bias) {
        return best(kind, scores, bias, shard.expertsPerToken());
    }

    Tensor gather(Tensor scores, Tensor indices) {
        return pass.elementwise(Kind.GATHER, indices.as(scores.type()), scores, indices);
    }

    /// Sums over the last dimension, which stays with size 1.
    Tensor rowSum(Tensor input) {
        return pass.elementwise(Kind.SUM, input.withLast(1), input);
    }

    Tensor divide(Tensor input, Tensor divisor) {
        return pass.elementwise(Kind.DIVIDE, input.sameShape(), input, divisor);
    }

    /// Softmax of each row, in single steps.
    Tensor softmax(Tensor scores) {
        Tensor largest = pass.elementwise(Kind.MAXIMUM, scores.withLast(1), scores);
        Tensor shifted = pass.elementwise(Kind.SUBTRACT, scores.sameShape(), scores, largest);
        return normalize(pass.elementwise(Kind.EXPONENTIAL, scores.sameShape(), shifted));
    }

    /// Divides each row by its sum.
    Tensor normalize(Tensor weights) {
        return divide(weights, rowSum(weights));
    }
}
