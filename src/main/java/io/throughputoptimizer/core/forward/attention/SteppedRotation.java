package io.throughputoptimizer.core.forward.attention;

import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
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

    /// Rotation of whole heads by factors in float32: `x cos + swapped(x) sin` in that type.
    ///
    /// @param pairs whether neighbours are turned against each other, and heads are converted before; else
    ///     halves are
    /// @param clones whether factors of pairs are laid out anew: in compiled graphs the layers of the first
    ///     kind do it for
    ///     all
    /// @param pass recorder of operators
    record WideRotation(boolean pairs, boolean compiled, boolean clones, PassRecorder pass) implements SteppedRotation {
        @Override
        public List<Tensor> turn(Tensor query, Tensor key, Rotary rotary) {
            Rotary factors = new Rotary(factors(rotary.cosines()), factors(rotary.sines()));
            Tensor turnedQuery = turn(query, factors);
            Tensor turnedKey = turn(key, factors);
            return List.of(pass.swapMiddle(turnedQuery), pass.swapMiddle(turnedKey));
        }

        private Tensor factors(Tensor given) {
            Tensor own = clones ? pass.elementwise(Kind.CLONE, given.sameShape(), given) : given;
            return pass.view(
                    own, Tensor.of(own.type(), 1, own.size(1), own.last()).stacked(Form.ONE));
        }

        private Tensor turn(Tensor heads, Rotary factors) {
            Tensor wide = heads.as(DataType.FLOAT32);
            long half = heads.last() / 2;
            Tensor cosinePart = pass.elementwise(Kind.MULTIPLY, wide, widened(heads), factors.cosines());
            Tensor one = pass.view(heads, heads.withLast(half));
            Tensor other = pass.view(heads, heads.withLast(half));
            Tensor negated = pass.elementwise(Kind.NEGATE, other.sameShape(), other);
            Kind joining = pairs && !compiled ? Kind.STACK : Kind.CONCATENATE;
            Tensor swapped = pass.elementwise(joining, heads.sameShape(), negated, one);
            Tensor sinePart = pass.elementwise(Kind.MULTIPLY, wide.sameShape(), widened(swapped), factors.sines());
            Tensor sum = pass.elementwise(Kind.ADD, wide.sameShape(), cosinePart, sinePart);
            return convert(sum, DataType.FLOAT16);
        }

        private Tensor widened(Tensor heads) {
            return pairs ? convert(heads, DataType.FLOAT32) : heads;
        }

        private Tensor convert(Tensor input, DataType type) {
            return pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, input.as(type), input);
        }
    }
}
