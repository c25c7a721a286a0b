package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.WINDOW_TOKENS;
import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.forward.attention.AttentionTraits.Window;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.CompressedSpec.Compression;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// The table of entries that each token attends to: the window's, then those selected. Only a selection by an
/// indexer differs from layer to layer: other tables a compiled graph makes in the first layers of their kind.
///
/// @param pass recorder of operators
record EntryTables(Compression compression, Place place, Window window, boolean compiled, PassRecorder pass) {

    /// @param selected entries that the indexer selected, `[1, S, k]`; null without an indexer
    /// @return `[1, S, w]`, int32
    Tensor table(@Nullable Tensor selected) {
        Form width = WINDOW_TOKENS.form().plus(CompressedLoads.of(compression).selected());
        boolean known = compiled && place == Place.LATER && compression != Compression.FINE;
        if (known) {
            return seen(Tensor.of(DataType.INT32, WINDOW_TOKENS.form()), width);
        }
        Form others = width.minus(WINDOW_TOKENS.form());
        Tensor recent = seen(ofWindow(), WINDOW_TOKENS.form());
        Tensor all = switch (compression) {
            case NONE -> recent;
            case FINE -> join(recent, requireNonNull(selected), width);
            case COARSE -> join(recent, seen(range(others), others), width);
        };
        return pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, all.as(DataType.INT32), all);
    }

    private Tensor join(Tensor recent, Tensor rest, Form width) {
        return pass.elementwise(Kind.CONCATENATE, recent.withLast(width), recent, rest);
    }

    /// Positions in the window, which a compiled graph counts up in the first layers unless they decode.
    private Tensor ofWindow() {
        boolean counts = !compiled || (place == Place.FIRST && window != Window.CACHED);
        return counts ? range(WINDOW_TOKENS.form()) : Tensor.of(DataType.INT64, WINDOW_TOKENS.form());
    }

    private Tensor range(Form size) {
        return pass.elementwise(compiled ? Kind.IOTA : Kind.ARANGE, Tensor.of(DataType.INT64, size));
    }

    /// Returns a view of one set of positions for every token.
    private Tensor seen(Tensor positions, Form width) {
        return pass.view(
                positions, Tensor.of(positions.type(), 1, TOKENS.form(), 1).withLast(width));
    }
}
