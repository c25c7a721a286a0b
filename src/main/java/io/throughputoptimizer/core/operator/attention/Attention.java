package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.stream.Stream;

/// Attention over the paged KV cache, prefill and decode alike, or among the patches of an image. With
/// `C = sum(q_i s_i)` over the requests, `hq` query heads, `hk` key-value heads, queries and keys of `D` elements and
/// values of `Dv`, mostly as many:
///
/// - matrix operations `2 C hq (D + Dv)` in the query's type; there is no causal halving
/// - general operations in float16: softmax `4 C hq`; on a quantized cache also `2 C hq f + S hq D f` with
///   `f = 2` for int8 and `1` for FP8
/// - reads: query, request tables and scales, and `hk (D + Dv)` elements of the cache for each of the `sum(s_i)`
///   context tokens; writes the result
///
/// @param query `[S, hq D]`, in the cache's type
/// @param keyCache `[blocks, blockSize, hk, D]`; for an image the keys themselves, `[1, P, hk, D]`
/// @param valueCache the same with `Dv`
/// @param tables block table, query starts, sequence lengths, query lengths, int64; none for an image
/// @param scales of a quantized cache, 4 bytes each; else empty
/// @param result `[S, hq Dv]`, float16
public record Attention(
        Tensor query,
        Tensor keyCache,
        Tensor valueCache,
        List<Tensor> tables,
        List<Tensor> scales,
        Load load,
        Tensor result)
        implements DeviceOperator {

    /// How much is attended to.
    ///
    /// @param queryContextProduct `C = sum(q_i s_i)`
    /// @param contextTokens `sum(s_i)`
    public record Load(Form queryContextProduct, Form contextTokens) {}

    public Attention {
        tables = List.copyOf(tables);
        scales = List.copyOf(scales);
    }

    @Override
    public String name() {
        return isQuantized() ? "tensor_cast.attention_quant.default" : "tensor_cast.attention.default";
    }

    @Override
    public List<Tensor> inputs() {
        return Stream.of(Stream.of(query, keyCache, valueCache), tables.stream(), scales.stream())
                .flatMap(tensors -> tensors)
                .toList();
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        long headSize = keyCache.last();
        long bothSizes = headSize + valueCache.last();
        long cachedWidth = keyCache.fixedSize(keyCache.rank() - 2) * bothSizes;
        Form read = OperatorWork.totalBytes(tables)
                .plus(OperatorWork.totalBytes(scales))
                .plus(query.bytes())
                .plus(Tensor.bytes(keyCache.type(), load.contextTokens.times(cachedWidth)));
        double queryHeads = (double) query.last() / headSize;
        Form attended = load.queryContextProduct.times(queryHeads);
        Form general = attended.times(4);
        if (isQuantized()) {
            int factor = keyCache.type() == DataType.INT8 ? 2 : 1;
            general = general.plus(attended.times(2 * factor))
                    .plus(query.elements().times(factor));
        }
        return OperatorWork.memory(read, result.bytes())
                .withMatrix(query.type(), attended.times(2 * bothSizes))
                .withGeneral(DataType.FLOAT16, general);
    }

    private boolean isQuantized() {
        return !scales.isEmpty();
    }
}
