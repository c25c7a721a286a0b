package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Selects the blocks of tokens that sparse attention attends to: each index head scores every token of the
/// context, the best score of a block is the block's, and the best blocks are taken. With `i` index heads of `D`
/// elements, `K` blocks and `C = sum(q s)`:
///
/// - matrix operations in float16: `2 D i C`
/// - general operations in float16: `i C + ceil(log2 K) X` for `X` scores of blocks
/// - reads request tables, queries and the cached keys of `sum(s)` tokens; scores of blocks are written and read in
///   place, 8 bytes each; writes the selection
///
/// @param query `[S, i, D]`
/// @param cache index keys, `[blocks, blockSize, D]`
/// @param tables sequence lengths, query lengths, block table, int64
/// @param selected `[S, i, K]`, int32
public record BlockSelection(Tensor query, Tensor cache, List<Tensor> tables, Load load, Tensor selected)
        implements DeviceOperator {
    private static final double SCORE_BYTES = 8;

    /// How much is scored.
    ///
    /// @param queryContextProduct `C = sum(q s)`
    /// @param contextTokens `sum(s)`
    /// @param blocks blocks scored by one head, `sum(q ceil(s / block))`
    public record Load(Form queryContextProduct, Form contextTokens, Form blocks) {}

    public BlockSelection {
        tables = List.copyOf(tables);
    }

    @Override
    public String name() {
        return "tensor_cast.minimax_indexer.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(query, cache, tables.get(0), tables.get(1), tables.get(2));
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(selected);
    }

    @Override
    public OperatorWork work() {
        double heads = query.fixedSize(1);
        double headSize = query.last();
        Form scored = load.queryContextProduct.times(heads);
        Form blocks = load.blocks.times(heads);
        Form read = OperatorWork.totalBytes(tables)
                .plus(query.bytes())
                .plus(Tensor.bytes(cache.type(), load.contextTokens.times(headSize)));
        return OperatorWork.memory(read, blocks.times(SCORE_BYTES).plus(selected.bytes()))
                .withMatrix(DataType.FLOAT16, scored.times(2 * headSize))
                .withGeneral(DataType.FLOAT16, scored.plus(blocks.times(steps(selected.last()))));
    }

    /// Steps that it takes to find the best `count`: `ceil(log2 count)`, at least 1.
    private static int steps(long count) {
        return Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(count - 1));
    }
}
