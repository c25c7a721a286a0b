package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
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
/// Where ranks share sequences, a rank attends with the heads of all of them: `a` of the arithmetic, of the query and
/// of the result are these, while the projections are of its own heads.
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
    /// @param phases how many of them have requests
    /// @param cacheTokensRead tokens read from the cache, by the efficiency of the access
    /// @param blockEntriesRead entries read of the block table
    public record Load(Phase prefill, Phase decode, Form phases, Form cacheTokensRead, Form blockEntriesRead) {}

    /// Requests of one phase.
    ///
    /// @param tokens computed, `n`
    /// @param attended `C`
    /// @param context `U`
    public record Phase(Form tokens, Form attended, Form context) {}

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
        long heads = query.fixedSize(1);
        long ownHeads = weights.keyUp.fixedSize(0);
        long rank = weights.keyUp.last();
        long unfolded = weights.keyUp.fixedSize(1) + result.last();
        double upElements = (double) ownHeads * rank * unfolded;
        Form matrix = tokens().times(2 * upElements)
                .plus(load.prefill.attended.times(2.0 * heads * (query.last() + result.last())))
                .plus(load.decode.attended.times(2.0 * heads * (cache.last() + rank)));
        return OperatorWork.memory(bytesMoved(upElements))
                .withMatrix(cache.type(), matrix)
                .withGeneral(DataType.FLOAT16, generalOperations(heads, rank, unfolded));
    }

    private List<Form> bytesMoved(double upElements) {
        return List.of(
                Tensor.bytes(cache.type(), load.cacheTokensRead.times(cache.last())),
                Tensor.bytes(cache.type(), load.phases.times(upElements)),
                query.bytes(),
                OperatorWork.totalBytes(tables.requests),
                OperatorWork.totalBytes(tables.selected),
                OperatorWork.totalBytes(weights.scales),
                Tensor.bytes(DataType.INT64, load.blockEntriesRead),
                result.bytes());
    }

    private Form tokens() {
        return load.prefill.tokens.plus(load.decode.tokens);
    }

    private Form generalOperations(long heads, long rank, long unfolded) {
        Form softmax = load.prefill.attended.plus(load.decode.attended).times(4 * heads);
        if (!isQuantized()) {
            return softmax;
        }
        return softmax.plus(load.prefill.tokens.times(2 * heads * unfolded))
                .plus(load.decode.tokens.times(4 * heads * rank))
                .plus(load.prefill.context.plus(load.decode.context).times(2 * heads))
                .plus(result.elements().times(2));
    }

    private boolean isQuantized() {
        return !weights.scales.isEmpty();
    }
}
