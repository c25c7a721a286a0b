package io.throughputoptimizer.core.forward.attention;

import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// The tokens that the last indexer of a pass selected, for layers behind it that have none. It is of one pass that is
/// being written down.
public final class LatestSelection {
    private @Nullable Tensor selected;

    Tensor keep(Tensor made) {
        selected = made;
        return made;
    }

    /// Returns the most recent selection, or an arbitrary one if layers are recorded out of order.
    Tensor latest() {
        Tensor known = selected;
        return known == null ? IndexerShard.selection() : known;
    }
}
