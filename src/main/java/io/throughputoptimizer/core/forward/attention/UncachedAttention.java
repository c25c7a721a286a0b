package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.Attention;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Attention that is handed neither the cache nor the lengths of requests: all tokens of the pass attend to each
/// other, and to nothing before. To its price keys and values are one head as wide as all of them.
///
/// @param pass recorder of operators
public record UncachedAttention(PassRecorder pass) {

    /// A mask of the pairs of tokens, which a compiled graph makes once, `[1, 1, S, S]`.
    public Tensor mask() {
        Form tokens = TOKENS.form();
        Tensor counted = pass.elementwise(Kind.IOTA, Tensor.of(DataType.INT64, tokens));
        Tensor positions = pass.elementwise(Kind.ADD, counted.sameShape(), counted);
        Tensor before = pass.elementwise(
                Kind.LESS,
                Tensor.of(DataType.BOOL, tokens).withLast(tokens.times(tokens)),
                positions,
                positions.sameShape());
        Tensor wide = before.as(DataType.FLOAT32);
        Tensor least = Tensor.of(DataType.FLOAT32);
        Tensor chosen = pass.elementwise(Kind.WHERE, wide, before, least, wide.sameShape());
        return pass.elementwise(Kind.CONVERT, chosen.as(DataType.FLOAT16), chosen);
    }

    /// @param rows rows of queries, keys and values, `[S, heads D]`
    /// @param mask absent in eager graphs
    Tensor attend(List<Tensor> rows, @Nullable Tensor mask) {
        Tensor query = rows.get(0);
        Form tokens = TOKENS.form();
        return pass.add(new Attention(
                query,
                oneHead(rows.get(1)),
                oneHead(rows.get(2)),
                mask == null ? List.of() : List.of(mask),
                List.of(),
                new Attention.Load(tokens.times(tokens), tokens),
                query.sameShape()));
    }

    private Tensor oneHead(Tensor rows) {
        return pass.view(rows, 1, TOKENS.form(), 1, rows.last());
    }
}
