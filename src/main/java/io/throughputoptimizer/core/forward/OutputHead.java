package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;

/// From the residual stream to logits: row selection, the product with this rank's columns, and the columns of
/// all ranks.
///
/// @param pass where operators go
record OutputHead(Deployment deployment, GraphStyle graph, PassRecorder pass) {

    /// @param normed residual stream after the final norm, `[1, S, h]`
    /// @return `[1, n, V]`
    Tensor logits(Tensor normed, RankBatch.Selection selection) {
        return switch (selection) {
            case RankBatch.Selection.All _ -> logits(normed);
            case RankBatch.Selection.Picked picked -> logits(pick(normed, Tensor.of(DataType.INT64, picked.rows())));
            case RankBatch.Selection.Drafts drafts -> {
                Tensor indices = Tensor.of(DataType.INT64, drafts.rows());
                yield logits(pick(normed, pass.elementwise(Kind.PUT, indices.sameShape(), indices)));
            }
        };
    }

    /// Rows of the residual stream at `indices`.
    Tensor pick(Tensor normed, Tensor indices) {
        return graph.gather(normed, indices, Tensor.half(1, indices.size(0), normed.last()));
    }

    /// @param rows `[1, n, h]`
    /// @return `[1, n, V]`
    Tensor logits(Tensor rows) {
        ModelArchitecture model = deployment.model();
        int tp = deployment.layout().tp();
        Tensor logits = graph.outputHead(rows, Tensor.half(model.hiddenSize(), shardedVocabulary()));
        if (tp == 1) {
            return logits;
        }
        Tensor gathered = pass.allGather(logits, ProcessGroup.contiguous(tp));
        return pass.view(gathered, 1, gathered.size(1), model.vocabularySize());
    }

    double weightBytes() {
        return DataType.FLOAT16.bytes((double) deployment.model().hiddenSize() * shardedVocabulary());
    }

    private long shardedVocabulary() {
        return Math.ceilDiv(
                deployment.model().vocabularySize(), deployment.layout().tp());
    }
}
