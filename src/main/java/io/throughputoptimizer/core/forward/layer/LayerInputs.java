package io.throughputoptimizer.core.forward.layer;

import static io.throughputoptimizer.core.operator.Quantity.LONGEST_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.REQUESTS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Inputs of a layer other than its weights, its cache and the residual stream.
///
/// To the memory ledger the first layers of each kind have the same ones, and so have the n-th repetitions of them.
///
/// @param cacheScales scalars of a quantized cache: first that of queries, then that of keys and values; else empty
/// @param scalesOfFeedForward scales of the feed-forward block: equal to `scales`, unless it repeats a layer and
///     attention does not
/// @param mask mask of the pairs of tokens of the pass, if attention receives it instead of the cache; usually null
public record LayerInputs(
        Rotary rotary,
        RequestTables tables,
        LayerScales scales,
        LayerScales scalesOfFeedForward,
        List<Tensor> cacheScales,
        @Nullable Tensor mask) {
    private static final int CACHE_SCALES = 7;

    public static LayerInputs of(Rotary rotary, QuantizationScheme quantization) {
        LayerScales scales = LayerScales.of(quantization);
        return new LayerInputs(
                rotary,
                RequestTables.create(),
                scales,
                scales,
                quantization.attention().isEnabled()
                        ? Stream.generate(LayerScales::scalar)
                                .limit(CACHE_SCALES)
                                .toList()
                        : List.of(),
                null);
    }

    /// Returns a copy with other rotary factors.
    public LayerInputs with(Rotary other) {
        return new LayerInputs(other, tables, scales, scalesOfFeedForward, cacheScales, mask);
    }

    /// Returns a copy with separate scales of the feed-forward block.
    public LayerInputs withFeedForwardScales(LayerScales other) {
        return new LayerInputs(rotary, tables, scales, other, cacheScales, mask);
    }

    /// Returns a copy with a mask of pairs.
    public LayerInputs masked(Tensor pairs) {
        return new LayerInputs(rotary, tables, scales, scalesOfFeedForward, cacheScales, pairs);
    }

    public Tensor queryScale() {
        return cacheScales.get(0);
    }

    public Tensor keyValueScale() {
        return cacheScales.get(1);
    }

    public List<Tensor> all() {
        return Stream.of(
                        Stream.of(rotary.cosines(), rotary.sines()),
                        Stream.of(tables.slots(), tables.blocks(), tables.queryStarts()),
                        Stream.of(tables.sequenceLengths(), tables.queryLengths()),
                        scales.all(),
                        cacheScales.stream(),
                        Stream.ofNullable(mask))
                .flatMap(tensors -> tensors)
                .toList();
    }

    /// Tables of the requests of a pass for attention, int64.
    ///
    /// @param slots cache slot of each token, `[S]`
    /// @param blocks block table `[B, blocks of the longest request]`
    /// @param queryStarts `[B + 1]`
    /// @param sequenceLengths `[B]`
    /// @param queryLengths `[B]`
    public record RequestTables(
            Tensor slots, Tensor blocks, Tensor queryStarts, Tensor sequenceLengths, Tensor queryLengths) {
        static RequestTables create() {
            Form requests = REQUESTS.form();
            return new RequestTables(
                    Tensor.of(DataType.INT64, TOKENS.form()),
                    Tensor.of(DataType.INT64, requests, LONGEST_BLOCKS.form()),
                    Tensor.of(DataType.INT64, requests.plus(1)),
                    Tensor.of(DataType.INT64, requests),
                    Tensor.of(DataType.INT64, requests));
        }
    }
}
