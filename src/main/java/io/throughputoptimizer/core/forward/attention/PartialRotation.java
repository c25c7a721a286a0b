package io.throughputoptimizer.core.forward.attention;

import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Rotation of a part of each head, in single operators: no pattern of the reference fuses it.
///
/// @param oneToken whether the passes to be written down compute one token
/// @param pass where operators go
record PartialRotation(boolean oneToken, PassRecorder pass) {

    /// Queries or keys before the rotation, and what becomes of their elements that are rotated.
    ///
    /// @param heads `[1, heads, S, D]`
    /// @param turned `[1, heads, S, R]`
    record Turned(Tensor heads, Tensor turned) {}

    /// Turns the first elements of queries and keys.
    ///
    /// @param query `[1, hq, S, D]`
    /// @param key `[1, hk, S, D]`
    List<Turned> turn(Tensor query, Tensor key, Rotary rotary) {
        Rotary broadcast = new Rotary(broadcast(rotary.cosines()), broadcast(rotary.sines()));
        return List.of(new Turned(query, turn(query, broadcast)), new Turned(key, turn(key, broadcast)));
    }

    /// Whole heads again, `[1, heads, S, D]`.
    Tensor join(Turned part) {
        Tensor heads = part.heads();
        Tensor rest =
                pass.view(heads, heads.withLast(heads.last() - part.turned().last()));
        return pass.elementwise(Kind.CONCATENATE, heads.sameShape(), part.turned(), rest);
    }

    /// `[1, heads, S, D]` as `[1, S, heads, D]`, in that order in memory too.
    Tensor tokensFirst(Tensor heads) {
        Tensor swapped = pass.swapMiddle(heads);
        boolean lies = oneToken || heads.fixedSize(1) == 1;
        return lies ? swapped : pass.elementwise(Kind.CLONE, swapped.sameShape(), swapped);
    }

    private Tensor broadcast(Tensor factors) {
        return pass.view(
                factors,
                Tensor.of(factors.type(), 1, factors.size(1), factors.last()).stacked(Form.ONE));
    }

    /// `x cos + concat(-high half, low half) sin` of the elements that are rotated.
    private Tensor turn(Tensor heads, Rotary rotary) {
        Tensor part = pass.view(heads, heads.withLast(rotary.cosines().last()));
        long half = part.last() / 2;
        Tensor cosinePart = pass.elementwise(Kind.MULTIPLY, part.sameShape(), part, rotary.cosines());
        Tensor low = pass.view(part, part.withLast(half));
        Tensor high = pass.view(part, part.withLast(part.last() - half));
        Tensor negated = pass.elementwise(Kind.NEGATE, high.sameShape(), high);
        Tensor swapped = pass.elementwise(Kind.CONCATENATE, part.sameShape(), negated, low);
        Tensor sinePart = pass.elementwise(Kind.MULTIPLY, part.sameShape(), swapped, rotary.sines());
        return pass.elementwise(Kind.ADD, part.sameShape(), cosinePart, sinePart);
    }
}
