package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.stream.Stream;

/// What precedes multi-head latent attention, in one operator: both down projections, their norms, the projection
/// of queries to heads, the rotation ("mlapo"). With `S` tokens, hidden size `h`, `a` heads of `d` elements of
/// which `r` are rotated, query rank `q`, key-value rank `c` and `w = c + r`:
///
/// - matrix operations `2 S (h q + q a d + h w)` in the weights' type, packed ones counting as int8
/// - general operations in float16 `5 S q + 3 S a r + 5 S c + 3 S r`; quantized weights add
///   `2 S h + S q + h q + q a d + h w`
/// - reads: hidden states, rotary factors, both norm weights, the weights with their scales, and the compressed
///   query again; changes it and the compressed keys and values in place, `2 S q + 2 S w` elements
/// - sixteen static costs
///
/// @param hidden `[S, h]`
/// @param cosines `[1, S, r]`
/// @param sines `[1, S, r]`
/// @param weights of the three projections
/// @param norms weights `[q]` and `[c]`
/// @param result what it yields
public record LatentProjection(Tensor hidden, Tensor cosines, Tensor sines, Weights weights, Norms norms, Result result)
        implements DeviceOperator {
    private static final int EXTRA_LAUNCHES = 15;

    /// @param queryDown `[h, q]`
    /// @param queryUp `[q, a d]`
    /// @param keyValueDown `[h, w]`
    /// @param scales of the three when they are quantized, one for each: three times the same scalar, or blocks
    public record Weights(Tensor queryDown, Tensor queryUp, Tensor keyValueDown, List<Tensor> scales) {
        public Weights {
            scales = List.copyOf(scales);
        }

        private List<Tensor> all() {
            return Stream.concat(Stream.of(queryDown, queryUp, keyValueDown), scales.stream())
                    .toList();
        }
    }

    /// @param query `[q]`
    /// @param keyValue `[c]`
    public record Norms(Tensor query, Tensor keyValue) {}

    /// @param query `[S, a, d]`
    /// @param keyValue `[S, c]`
    /// @param rotatedKey `[S, r]`
    /// @param compressedQuery `[S, q]`, for the sparse indexer
    public record Result(Tensor query, Tensor keyValue, Tensor rotatedKey, Tensor compressedQuery) {
        private List<Tensor> all() {
            return List.of(query, keyValue, rotatedKey, compressedQuery);
        }
    }

    @Override
    public String name() {
        return isQuantized() ? "tensor_cast.mlapo_quant.default" : "tensor_cast.mlapo.default";
    }

    @Override
    public List<Tensor> inputs() {
        return Stream.of(List.of(hidden, cosines, sines), weights.all(), List.of(norms.query, norms.keyValue))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<Tensor> outputs() {
        return result.all();
    }

    @Override
    public OperatorWork work() {
        Form tokens = hidden.size(0);
        double hiddenSize = hidden.last();
        double queryRank = result.compressedQuery.last();
        double keyValueRank = result.keyValue.last();
        double rotated = result.rotatedKey.last();
        double latent = keyValueRank + rotated;
        double heads = result.query.fixedSize(1);
        double queryWidth = heads * result.query.last();
        double weightElements = hiddenSize * queryRank + queryRank * queryWidth + hiddenSize * latent;
        Form inPlace = Tensor.bytes(DataType.FLOAT16, tokens.times(2 * (queryRank + latent)));
        Form general = tokens.times(5 * (queryRank + keyValueRank) + 3 * rotated * (heads + 1));
        if (isQuantized()) {
            general = general.plus(tokens.times(2 * hiddenSize + queryRank)).plus(weightElements);
        }
        return OperatorWork.memory(
                        OperatorWork.totalBytes(inputs()).plus(result.compressedQuery.bytes()),
                        OperatorWork.totalBytes(outputs()).plus(inPlace))
                .withMatrix(matrixType(), tokens.times(2 * weightElements))
                .withGeneral(DataType.FLOAT16, general)
                .withExtraLaunches(Form.of(EXTRA_LAUNCHES));
    }

    private DataType matrixType() {
        DataType stored = weights.queryDown.type().rateType();
        return stored == DataType.UINT8 ? DataType.INT8 : stored;
    }

    private boolean isQuantized() {
        return !weights.scales.isEmpty();
    }
}
