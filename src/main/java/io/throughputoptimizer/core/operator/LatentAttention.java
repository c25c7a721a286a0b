package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;
import java.util.stream.Stream;

/// Multi-head latent attention over the cache of compressed keys and values. With `a` heads of `d = dn + r`
/// query and `dv` value elements, key-value rank `c`, `w = c + r`, and for either phase its tokens `n` and
/// `C = sum(q_i s_i)`, where sparse attention counts at most the selected tokens of each `s_i`:
///
/// - prefill: `2 n a (dn + dv) c + 2 C a (d + dv)` matrix operations
/// - decode, with both projections absorbed: `2 n a c (dn + dv) + 2 C a (w + c)`
/// - either: softmax of `4 C a` general operations in float16, and `a c (dn + dv)` weights read
/// - reads: query, request tables, what [Load] says of the cache; writes the result
///
/// On a quantized cache matrix operations run in its type and weights are read in it; general operations grow,
/// with `U = sum(q_i s_i)` never limited, by `2 n a (dn + dv) + 2 U a` in prefill, `4 n a c + 2 U a` in decode,
/// and `2 n(result)`; eight scalar scales are read, or seven and the blocks of the key-value projection.
///
/// @param query `[S, a, d]`, in the cache's type
/// @param cache `[blocks, blockSize, w]`
/// @param weights the projection from compressed to full keys and values
/// @param tables request tables: starts, sequence lengths, query lengths; what else is read counts in the load
/// @param result `[S, a, dv]`, float16
public record LatentAttention(Tensor query, Tensor cache, Weights weights, Tables tables, Load load, Tensor result)
        implements DeviceOperator {

    /// @param keyUp `[a, dn, c]`
    /// @param valueUp `[a, c, dv]`
    /// @param keyValueUp both in one, `[c, a (dn + dv)]`
    /// @param scales of a quantized cache and of these weights; else empty
    public record Weights(Tensor keyUp, Tensor valueUp, Tensor keyValueUp, List<Tensor> scales) {
        public Weights {
            scales = List.copyOf(scales);
        }
    }

    /// @param requests query starts, sequence lengths, query lengths, int64
    /// @param block block table, int64
    /// @param selected tokens that sparse attention attends to, `[S, t]`, int64; else empty
    public record Tables(List<Tensor> requests, Tensor block, List<Tensor> selected) {
        public Tables {
            requests = List.copyOf(requests);
            selected = List.copyOf(selected);
        }
    }

    /// How much is attended to.
    ///
    /// @param cacheTokensRead tokens read from the cache, by the efficiency of the access
    /// @param blockEntriesRead entries read of the block table
    public record Load(Phase prefill, Phase decode, double cacheTokensRead, double blockEntriesRead) {}

    /// Requests of one phase.
    ///
    /// @param tokens computed, `n`
    /// @param attended `C`
    /// @param context `U`
    public record Phase(double tokens, double attended, double context) {}

    @Override
    public String name() {
        String stem = tables.selected.isEmpty() ? "multihead_latent_attention" : "mla_sparse_attention";
        return "tensor_cast." + stem + (isQuantized() ? "_quant" : "") + ".default";
    }

    @Override
    public List<Tensor> inputs() {
        return Stream.of(
                        Stream.of(query, cache, tables.block),
                        tables.requests.stream(),
                        Stream.of(weights.keyUp, weights.valueUp, weights.keyValueUp),
                        weights.scales.stream(),
                        tables.selected.stream())
                .flatMap(tensors -> tensors)
                .toList();
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        double heads = query.size(1);
        double rank = weights.keyUp.last();
        double unfolded = weights.keyUp.size(1) + result.last();
        double upElements = heads * rank * unfolded;
        double phases = (load.prefill.tokens > 0 ? 1 : 0) + (load.decode.tokens > 0 ? 1 : 0);
        double read = query.bytes()
                + cache.type().bytes(phases * upElements + load.cacheTokensRead * cache.last())
                + OperatorWork.totalBytes(tables.requests)
                + OperatorWork.totalBytes(tables.selected)
                + OperatorWork.totalBytes(weights.scales)
                + DataType.INT64.bytes(load.blockEntriesRead);
        double matrix = 2 * (load.prefill.tokens + load.decode.tokens) * upElements
                + 2 * load.prefill.attended * heads * (query.last() + result.last())
                + 2 * load.decode.attended * heads * (cache.last() + rank);
        return OperatorWork.memory(read, result.bytes())
                .withMatrix(cache.type(), matrix)
                .withGeneral(DataType.FLOAT16, generalOperations(heads, rank, unfolded));
    }

    private double generalOperations(double heads, double rank, double unfolded) {
        double softmax = 4 * (load.prefill.attended + load.decode.attended) * heads;
        if (!isQuantized()) {
            return softmax;
        }
        return softmax
                + 2 * load.prefill.tokens * heads * unfolded
                + 4 * load.decode.tokens * heads * rank
                + 2 * (load.prefill.context + load.decode.context) * heads
                + 2 * result.elements();
    }

    private boolean isQuantized() {
        return !weights.scales.isEmpty();
    }
}
