package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.stream.Stream;

/// Operators of attention that nothing tells apart but what they read, write and compute: rotations, writes to
/// caches, and the small parts of linear attention. Where a comment names no arithmetic, the reference charges
/// none.
public final class AttentionOperators {
    private static final int ROPE_OPERATIONS = 3;
    private static final int ROTATED_BYTES_IN_PLACE = 8;
    private static final int ROTATE_OPERATIONS = 5;
    /// Operations of activation and bias for each element of a convolution.
    private static final int ACTIVATION = 6;

    private static final int GATED_NORM_OPERATIONS = 13;

    private AttentionOperators() {}

    /// Rotates keys `[1, hk, S, D]` and queries `[1, hq, S, D]` by their positions, fused.
    ///
    /// Reads keys, queries and both tables `[1, S, D]`, writes the rotated ones `[1, S, hk, D]` and
    /// `[1, S, hq, D]`; `3 (n(query) + n(key))` general operations in float16.
    public static DeviceOperator applyRope(
            Tensor key, Tensor query, Tensor cosines, Tensor sines, Tensor rotatedKey, Tensor rotatedQuery) {
        return DeviceOperator.of(
                        "tensor_cast.apply_rope.default",
                        List.of(key, query, cosines, sines),
                        List.of(rotatedKey, rotatedQuery))
                .withGeneral(
                        DataType.FLOAT16, query.elements().plus(key.elements()).times(ROPE_OPERATIONS));
    }

    /// Rotates the first elements of the heads of queries `[S, hq, D]` and keys `[S, hk, D]` by their
    /// positions, fused.
    ///
    /// @param factors cosines and sines side by side, `[S, 2 r]`
    /// @param rotatedQuery the query's shape
    /// @param rotatedKey the key's shape
    public static DeviceOperator fusedRope(
            Tensor query, Tensor key, Tensor factors, Tensor rotatedQuery, Tensor rotatedKey) {
        return DeviceOperator.of(
                "tensor_cast.fused_rope.default", List.of(query, key, factors), List.of(rotatedQuery, rotatedKey));
    }

    /// Turns the last elements of each head in place, or turns them back.
    ///
    /// Reads both tables, writes the turned elements and changes them in place (8 bytes each); 5 general
    /// operations in float32 for each, and one for each factor that is negated to turn back.
    ///
    /// @param values `[1, S, heads, D]` or `[1, S, D]`
    /// @param cosines `[1, S, width]`, as the sines
    /// @param turned elements of a head
    /// @param back whether they are turned back
    public static DeviceOperator rotateInPlace(Tensor values, Tensor cosines, Tensor sines, long turned, boolean back) {
        Form elements = values.withLast(turned).elements();
        Form read = cosines.bytes().plus(sines.bytes()).plus(elements.times(ROTATED_BYTES_IN_PLACE));
        Form negated = back ? sines.elements() : Form.ZERO;
        return DeviceOperator.of(
                "tensor_cast.apply_rope_inplace.default",
                List.of(values, cosines, sines),
                List.of(),
                OperatorWork.memory(read, Tensor.bytes(values.type(), elements))
                        .withGeneral(
                                DataType.FLOAT32,
                                elements.times(ROTATE_OPERATIONS).plus(negated)));
    }

    /// Stores new keys and values `[S, hk D]` in the paged KV cache `[2, blocks, blockSize, hk, D]`.
    ///
    /// `reads = bytes(key) + bytes(value) + bytes(slots)`; `writes` = keys and values in the cache's type. The
    /// cache itself is not read.
    ///
    /// @param slots place of each token, `[S]`, int64
    public static DeviceOperator reshapeAndCache(Tensor key, Tensor value, Tensor cache, Tensor slots) {
        return DeviceOperator.of(
                "tensor_cast.reshape_and_cache.default",
                List.of(key, value, cache, slots),
                List.of(),
                OperatorWork.memory(
                        key.bytes().plus(value.bytes()).plus(slots.bytes()),
                        Tensor.bytes(cache.type(), key.elements().plus(value.elements()))));
    }

    /// Stores new compressed keys and values `[S, c]`, with their rotated keys `[S, r]` behind them, in the
    /// paged cache `[blocks, blockSize, c + r]`.
    ///
    /// Reads both and the slots, writes both in the cache's type. The cache itself is not read.
    ///
    /// @param slots place of each token, `[S]`, int64
    public static DeviceOperator concatAndCache(Tensor keyValue, Tensor rotatedKey, Tensor cache, Tensor slots) {
        Form written = keyValue.bytes().plus(rotatedKey.bytes());
        return DeviceOperator.of(
                "tensor_cast.concat_and_cache_mla.default",
                List.of(keyValue, rotatedKey, cache, slots),
                List.of(),
                OperatorWork.memory(written.plus(slots.bytes()), written));
    }

    /// Stores the index keys of new tokens `[S, 1, D]` in their paged cache `[blocks, blockSize, D]`: reads
    /// keys and slots, writes the keys.
    ///
    /// @param slots place of each token, `[S]`, int64
    public static DeviceOperator cacheIndexKeys(Tensor keys, Tensor cache, Tensor slots) {
        return DeviceOperator.of(
                "tensor_cast.siso_reshape_and_cache.default",
                List.of(keys, cache, slots),
                List.of(),
                OperatorWork.memory(keys.bytes().plus(slots.bytes()), Tensor.bytes(cache.type(), keys.elements())));
    }

    /// Stores rows `[1, n, D]` in a cache `[blocks, blockSize, D]`; memory traffic of the rows alone.
    public static DeviceOperator scatterUpdate(Tensor rows, Tensor cache) {
        return DeviceOperator.of(
                "tensor_cast.scatter_nd_update_mla.default",
                List.of(rows, cache),
                List.of(),
                OperatorWork.memory(rows.bytes(), rows.bytes()));
    }

    /// Short causal convolution over the queries, keys and values of a layer with the gated delta rule.
    ///
    /// Reads the tokens `[S, c]` and the kernel, writes as many tokens; `2 c k + 6 c` general operations in
    /// float16 for each, where each token has `c` channels and the kernel is `k` wide. A step of the recurrent
    /// rule also changes `k` columns a token in place.
    ///
    /// @param kernel `k`; to the memory ledger the `[c, k]` weights are no input
    /// @param updates whether the state that the next step needs is kept up to date
    public static DeviceOperator causalConvolution(Tensor input, long kernel, boolean updates, Tensor result) {
        Form weights = Tensor.half(input.last(), kernel).bytes();
        Form state = updates ? input.bytes().times(kernel) : Form.ZERO;
        return DeviceOperator.of(
                updates
                        ? "tensor_cast.linear_attn_causal_conv_update.default"
                        : "tensor_cast.linear_attn_causal_conv.default",
                List.of(input),
                List.of(result),
                OperatorWork.memory(input.bytes().plus(weights).plus(state), result.bytes())
                        .withGeneral(DataType.FLOAT16, input.elements().times(2 * kernel + ACTIVATION)));
    }

    /// Decay and step size of each value head, with queries and keys widened to the value heads and normalized.
    ///
    /// Reads queries and keys of the key heads, the two raw gates `[S, hv]` and a rank's own part of two vectors
    /// of all value heads; writes queries and keys of the value heads, the step sizes in float16 and the decays
    /// in float32. `4 S hv` general operations in float16, `hv + 7 S hv` in float32.
    ///
    /// @param narrow queries and keys, `[S, hk d]` each
    /// @param gates `[S, hv]` each
    /// @param vectors of all value heads, each rank's and the others'
    /// @param wide queries and keys, `[S, hv, d]` each
    /// @param stepSizes `[S, hv]`
    /// @param decays `[S, hv]`, float32
    public static DeviceOperator deltaGating(
            List<Tensor> narrow,
            List<Tensor> gates,
            List<Tensor> vectors,
            List<Tensor> wide,
            Tensor stepSizes,
            Tensor decays) {
        List<Tensor> outputs =
                Stream.concat(wide.stream(), Stream.of(stepSizes, decays)).toList();
        Form heads = Form.of(stepSizes.last());
        Form operands = OperatorWork.totalBytes(narrow).plus(OperatorWork.totalBytes(gates));
        Form own = Tensor.bytes(vectors.getFirst().type(), heads.times(vectors.size()));
        return DeviceOperator.of(
                "tensor_cast.linear_attn_fused_gdn_gating.default",
                Stream.of(narrow, gates, vectors).flatMap(List::stream).toList(),
                outputs,
                OperatorWork.memory(operands.plus(own), OperatorWork.totalBytes(outputs))
                        .withGeneral(DataType.FLOAT16, stepSizes.elements().times(4))
                        .withGeneral(
                                DataType.FLOAT32,
                                heads.plus(stepSizes.elements().times(7))));
    }

    /// Root-mean-square norm of each value head, times an activated gate.
    ///
    /// Reads values `[S, hv dv]`, gates of that shape and the weight `[dv]`, writes as many values; 13 general
    /// operations in float32 for each.
    public static DeviceOperator gatedNorm(Tensor values, Tensor gates, Tensor weight, Tensor result) {
        return DeviceOperator.of(
                        "tensor_cast.linear_attn_gated_rmsnorm.default",
                        List.of(values, gates, weight),
                        List.of(result))
                .withGeneral(DataType.FLOAT32, values.elements().times(GATED_NORM_OPERATIONS));
    }
}
