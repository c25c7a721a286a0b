package io.throughputoptimizer.core.forward.attention;

import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Rotation of the first elements of each head, which is put together again with the rest.
///
/// @param pairs whether neighbours are turned against each other, by factors that each layer lays out anew; else the
///     two halves are
/// @param oneToken whether the passes to be written down compute one token
/// @param pass recorder of operators
record PartialRotation(boolean pairs, boolean compiled, boolean oneToken, PassRecorder pass)
        implements SteppedRotation {

    /// Queries or keys before the rotation, and what becomes of their elements that are rotated.
    ///
    /// @param heads `[1, heads, S, D]`
    /// @param turned `[1, heads, S, R]`
    private record Turned(Tensor heads, Tensor turned) {}

    /// A compiled graph finishes one after the other.
    @Override
    public List<Tensor> turn(Tensor query, Tensor key, Rotary rotary) {
        Rotary broadcast = new Rotary(broadcast(rotary.cosines()), broadcast(rotary.sines()));
        List<Turned> parts = List.of(new Turned(query, turn(query, broadcast)), new Turned(key, turn(key, broadcast)));
        return compiled
                ? parts.stream().map(part -> tokensFirst(join(part))).toList()
                : parts.stream().map(this::join).toList().stream()
                        .map(this::tokensFirst)
                        .toList();
    }

    /// Whole heads again, `[1, heads, S, D]`.
    private Tensor join(Turned part) {
        Tensor heads = part.heads();
        Tensor rest =
                pass.view(heads, heads.withLast(heads.last() - part.turned().last()));
        return pass.elementwise(Kind.CONCATENATE, heads.sameShape(), part.turned(), rest);
    }

    /// `[1, heads, S, D]` as `[1, S, heads, D]`, in that order in memory too.
    private Tensor tokensFirst(Tensor heads) {
        Tensor swapped = pass.swapMiddle(heads);
        boolean lies = oneToken || heads.fixedSize(1) == 1;
        return lies ? swapped : pass.elementwise(Kind.CLONE, swapped.sameShape(), swapped);
    }

    private Tensor broadcast(Tensor given) {
        Tensor factors = pairs ? pass.elementwise(Kind.CLONE, given.sameShape(), given) : given;
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
        Kind joining = pairs && !compiled ? Kind.STACK : Kind.CONCATENATE;
        Tensor swapped = pass.elementwise(joining, part.sameShape(), negated, low);
        Tensor sinePart = pass.elementwise(Kind.MULTIPLY, part.sameShape(), swapped, rotary.sines());
        return pass.elementwise(Kind.ADD, part.sameShape(), cosinePart, sinePart);
    }
}
