package io.throughputoptimizer.core.forward.attention;

import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.CompressedSpec.Compression;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.Compressor;
import java.util.List;

/// Makes entries of a layer's caches.
///
/// @param pass recorder of operators
record EntryCompressor(CompressedShard shard, PassRecorder pass) {

    /// Entries that are attended to.
    ///
    /// @param hidden `[1, S, h]`
    void compress(Tensor hidden, Tensor cache, LayerInputs inputs) {
        compress(hidden, cache, shard.spec().headSize(), false, inputs);
    }

    /// Keys of the indexer.
    ///
    /// @param hidden `[1, S, h]`
    void compressForIndex(Tensor hidden, Tensor cache, LayerInputs inputs) {
        compress(hidden, cache, shard.spec().indexer().headSize(), true, inputs);
    }

    private void compress(Tensor hidden, Tensor cache, long width, boolean transforms, LayerInputs inputs) {
        Compression compression = shard.spec().compression();
        pass.addEffect(new Compressor(
                hidden,
                cache,
                List.of(inputs.tables().sequenceLengths(), inputs.tables().queryLengths()),
                shard.compressorWeights(width),
                new Compressor.Shape(
                        width,
                        shard.spec().rotated(),
                        compression.ratio(),
                        compression.sets() > 1,
                        transforms,
                        cache.type()),
                CompressedLoads.of(compression).compressor()));
    }
}
