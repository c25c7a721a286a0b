package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.stream.Stream;

/// Selects the tokens that sparse attention attends to ("DSA indexer"), fused. With `S` tokens, hidden size `h`,
/// query rank `q`, `i` index heads of `e` elements of which `r` are rotated, and the longest sequence `s`:
///
/// - matrix operations: `2 S (q i e + h e + h i)` in float16 and scores of `2 S i s e` in float16, or in FP8 on
///   an FP8 cache: the reference takes the longest sequence for every token
/// - general operations in float16: `3 S (i + 1) r + 2 S i s + S s`; an FP8 cache adds
///   `2 S (i + 1) e + 2 S i s + S s`
/// - reads: hidden states, compressed queries, rotary factors, request tables, weights, and of its own cache what
///   [Load] says; writes the selection and the new entries of its cache
///
/// @param hidden `[1, S, h]`
/// @param compressedQuery `[1, S, q]`
/// @param rotary both tables, `[1, S, r]` each
/// @param cache its own cache, `[blocks, blockSize, e]`
/// @param tables slots, block table, sequence lengths, query lengths, int64
/// @param weights query `[q, i e]`, key `[h, e]` and head weights `[h, i]`, then the norm `[e]`
/// @param selected `[S, min(t, s)]`, int64
public record SparseIndexer(
        Tensor hidden,
        Tensor compressedQuery,
        List<Tensor> rotary,
        Tensor cache,
        List<Tensor> tables,
        Weights weights,
        Load load,
        Tensor selected)
        implements DeviceOperator {

    /// @param query `[q, i e]`
    /// @param key `[h, e]`
    /// @param heads `[h, i]`
    /// @param norm `[e]`
    public record Weights(Tensor query, Tensor key, Tensor heads, Tensor norm) {
        private Stream<Tensor> all() {
            return Stream.of(query, key, heads, norm);
        }
    }

    /// @param longestSequence `s`
    /// @param cacheTokensRead tokens read from the cache, by the efficiency of the access
    /// @param cacheScaleBytes bytes of the scale beside each cached token
    public record Load(Form longestSequence, Form cacheTokensRead, double cacheScaleBytes) {}

    public SparseIndexer {
        rotary = List.copyOf(rotary);
        tables = List.copyOf(tables);
    }

    @Override
    public String name() {
        return "tensor_cast.dsa_indexer.default";
    }

    @Override
    public List<Tensor> inputs() {
        return Stream.of(
                        Stream.of(hidden, compressedQuery),
                        rotary.stream(),
                        Stream.of(cache),
                        tables.stream(),
                        weights.all())
                .flatMap(tensors -> tensors)
                .toList();
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(selected);
    }

    @Override
    public OperatorWork work() {
        Form tokens = hidden.size(1);
        double headSize = cache.last();
        double heads = weights.heads.last();
        double entryBytes = cache.type().bytes(headSize) + load.cacheScaleBytes;
        double projected = compressedQuery.last() * heads * headSize + hidden.last() * (headSize + heads);
        Form compared = tokens.times(load.longestSequence);
        Form general = tokens.times(3 * (heads + 1) * rotary.getFirst().last()).plus(compared.times(2 * heads + 1));
        boolean eightBitFloat = cache.type().rateType() == DataType.FLOAT8_E4M3;
        if (eightBitFloat) {
            general = general.plus(tokens.times(2 * (heads + 1) * headSize)).plus(compared.times(2 * heads + 1));
        }
        return OperatorWork.memory(bytesMoved(tokens, entryBytes))
                .withMatrix(DataType.FLOAT16, tokens.times(2 * projected))
                .withMatrix(eightBitFloat ? cache.type() : DataType.FLOAT16, compared.times(2 * heads * headSize))
                .withGeneral(DataType.FLOAT16, general);
    }

    private List<Form> bytesMoved(Form tokens, double entryBytes) {
        return List.of(
                load.cacheTokensRead.times(entryBytes),
                OperatorWork.totalBytes(inputs()).minus(cache.bytes()),
                selected.bytes().plus(tokens.times(entryBytes)));
    }
}
