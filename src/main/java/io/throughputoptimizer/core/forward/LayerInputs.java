package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.stream.Stream;

/// Inputs of a layer besides its weights, its cache and the residual stream.
///
/// To the memory ledger the first layers of each kind have the same ones, and so have the n-th repetitions of them.
///
/// @param cacheScales scalars of a quantized cache: first that of queries, then that of keys and values; else empty
record LayerInputs(Rotary rotary, RequestTables tables, LayerScales scales, List<Tensor> cacheScales) {
    private static final int CACHE_SCALES = 7;

    static LayerInputs of(Rotary rotary, QuantizationScheme quantization) {
        return new LayerInputs(
                rotary,
                RequestTables.create(),
                LayerScales.of(quantization.linear()),
                quantization.attention().isEnabled()
                        ? Stream.generate(LayerScales::scalar)
                                .limit(CACHE_SCALES)
                                .toList()
                        : List.of());
    }

    /// The same with other rotary factors.
    LayerInputs with(Rotary other) {
        return new LayerInputs(other, tables, scales, cacheScales);
    }

    Tensor queryScale() {
        return cacheScales.get(0);
    }

    Tensor keyValueScale() {
        return cacheScales.get(1);
    }

    List<Tensor> all() {
        return Stream.of(
                        Stream.of(rotary.cosines(), rotary.sines()),
                        Stream.of(tables.slots(), tables.blocks(), tables.queryStarts()),
                        Stream.of(tables.sequenceLengths(), tables.queryLengths()),
                        Stream.ofNullable(scales.weight()),
                        Stream.ofNullable(scales.activation()),
                        cacheScales.stream())
                .flatMap(tensors -> tensors)
                .toList();
    }
}
