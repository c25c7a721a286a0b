package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Attention to selected blocks of the paged KV cache. With `A` pairs of a query and a token that it attends to,
/// `hq` query heads, `hk` key-value heads and head size `D`:
///
/// - matrix operations `4 hq A D` and general operations `6 hq A`, in float16
/// - reads queries, request tables, the selection of each key-value head, and `2 hk D` elements of the cache for
///   each token read; writes the result
///
/// @param query `[S, hq D]`
/// @param keyCache `[blocks, blockSize, hk, D]`
/// @param valueCache the same
/// @param selected `[S, i, K]`, int32
/// @param tables sequence lengths, query lengths, block table, int64
/// @param result `[S, hq D]`
public record BlockAttention(
        Tensor query,
        Tensor keyCache,
        Tensor valueCache,
        Tensor selected,
        List<Tensor> tables,
        Load load,
        Tensor result)
        implements DeviceOperator {

    /// How much is attended to, and read.
    ///
    /// @param attended `A`
    /// @param tokensRead tokens read from the cache, some more than once
    public record Load(Form attended, Form tokensRead) {}

    public BlockAttention {
        tables = List.copyOf(tables);
    }

    @Override
    public String name() {
        return "tensor_cast.minimax_sparse_attention.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(query, keyCache, valueCache, selected, tables.get(0), tables.get(1), tables.get(2));
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        long headSize = keyCache.last();
        long cachedHeads = keyCache.fixedSize(keyCache.rank() - 2);
        Form selection = selected.size(0).times((double) cachedHeads * selected.last());
        Form read = OperatorWork.totalBytes(tables)
                .plus(query.bytes())
                .plus(Tensor.bytes(keyCache.type(), load.tokensRead.times(2.0 * cachedHeads * headSize)))
                .plus(Tensor.bytes(selected.type(), selection));
        Form attended = load.attended.times((double) query.last() / headSize);
        return OperatorWork.memory(read, result.bytes())
                .withMatrix(DataType.FLOAT16, attended.times(4.0 * headSize))
                .withGeneral(DataType.FLOAT16, attended.times(6));
    }
}
