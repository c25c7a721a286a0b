package io.throughputoptimizer.core.forward.decoder;

import static io.throughputoptimizer.core.operator.Quantity.REQUESTS;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// Picks the rows of the residual stream that go to the output heads.
final class RowPicker {
    private final PassKind kind;
    private final boolean compiled;
    private final GraphStyle graph;
    private final PassRecorder pass;
    private final Tensor indices;
    private @Nullable Tensor lastOfEach;

    RowPicker(PassKind kind, boolean compiled, GraphStyle graph, PassRecorder pass) {
        this.compiled = compiled;
        this.kind = kind;
        this.graph = graph;
        this.pass = pass;
        this.indices = Tensor.of(DataType.INT64, kind.rows());
    }

    /// Rows for the output head of the model.
    ///
    /// @param normed `[1, S, h]`
    Tensor verified(Tensor normed) {
        return switch (kind.selection()) {
            case ALL -> normed;
            case PICKED -> pick(normed, indices);
            case DRAFTS -> pick(normed, put(indices));
        };
    }

    /// Rows for the output head of the draft layers.
    ///
    /// @param hidden `[1, S, h]`
    Tensor proposed(Tensor hidden) {
        return switch (kind.selection()) {
            case ALL -> throw new IllegalStateException("drafts need a selection of rows");
            case PICKED -> pick(hidden, indices);
            case DRAFTS -> pick(hidden, lastOfEach());
        };
    }

    /// The last row of each request, moved to the device once, or, eagerly, for each draft.
    private Tensor lastOfEach() {
        if (lastOfEach == null || !compiled) {
            lastOfEach = put(pass.view(indices, REQUESTS.form()));
        }
        return lastOfEach;
    }

    private Tensor put(Tensor rows) {
        return pass.elementwise(compiled ? Kind.PUT : Kind.CAST, rows.sameShape(), rows);
    }

    private Tensor pick(Tensor hidden, Tensor rows) {
        return graph.gather(hidden, rows, Tensor.half(1, rows.size(0), hidden.last()));
    }
}
