package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// Picks the rows of the residual stream that go to the output heads.
final class RowPicker {
    private final RankBatch batch;
    private final GraphStyle graph;
    private final PassRecorder pass;
    private final Tensor indices;
    private @Nullable Tensor lastOfEach;

    RowPicker(RankBatch batch, GraphStyle graph, PassRecorder pass) {
        this.batch = batch;
        this.graph = graph;
        this.pass = pass;
        this.indices = Tensor.of(DataType.INT64, rows());
    }

    private long rows() {
        return switch (batch.selection()) {
            case RankBatch.Selection.All _ -> batch.tokens();
            case RankBatch.Selection.Picked picked -> picked.rows();
            case RankBatch.Selection.Drafts drafts -> drafts.rows();
        };
    }

    /// Rows for the output head of the model.
    ///
    /// @param normed `[1, S, h]`
    Tensor verified(Tensor normed) {
        return switch (batch.selection()) {
            case RankBatch.Selection.All _ -> normed;
            case RankBatch.Selection.Picked _ -> pick(normed, indices);
            case RankBatch.Selection.Drafts _ -> pick(normed, put(indices));
        };
    }

    /// Rows for the output head of the draft layers.
    ///
    /// @param hidden `[1, S, h]`
    Tensor proposed(Tensor hidden) {
        return switch (batch.selection()) {
            case RankBatch.Selection.All _ -> throw new IllegalStateException("drafts need a selection of rows");
            case RankBatch.Selection.Picked _ -> pick(hidden, indices);
            case RankBatch.Selection.Drafts _ -> pick(hidden, lastOfEach());
        };
    }

    /// The last row of each request, moved to the device once.
    private Tensor lastOfEach() {
        if (lastOfEach == null) {
            lastOfEach = put(pass.view(indices, batch.requests()));
        }
        return lastOfEach;
    }

    private Tensor put(Tensor rows) {
        return pass.elementwise(Kind.PUT, rows.sameShape(), rows);
    }

    private Tensor pick(Tensor hidden, Tensor rows) {
        return graph.gather(hidden, rows, Tensor.half(1, rows.size(0), hidden.last()));
    }
}
