package io.throughputoptimizer.core.forward.attention;

import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A rotation of heads in single operators, which no pattern of the reference fuses.
interface SteppedRotation {
    /// Absent where whole heads are turned by halves: in one operator when compiled.
    ///
    /// @param oneToken whether the passes to be written down compute one token
    /// @param first whether the layers are those of the first kind
    static @Nullable SteppedRotation of(
            AttentionSpec.GroupedQuery spec, boolean compiled, boolean oneToken, boolean first, PassRecorder pass) {
        return switch (spec.rotation()) {
            case HALVES -> spec.rotatesInPart() ? new PartialRotation(false, compiled, oneToken, pass) : null;
            case HALVES_IN_PARTS ->
                spec.rotatesInPart() || !compiled ? new PartialRotation(false, compiled, oneToken, pass) : null;
            case PAIRS -> new PartialRotation(true, compiled, oneToken, pass);
            case WIDE_PAIRS -> new WideRotation(true, compiled, first || !compiled, pass);
            case WIDE_HALVES -> new WideRotation(false, compiled, false, pass);
        };
    }

    /// Rotated queries and keys, `[1, S, heads, D]` each.
    ///
    /// @param query `[1, hq, S, D]`
    /// @param key `[1, hk, S, D]`
    List<Tensor> turn(Tensor query, Tensor key, Rotary rotary);
}
