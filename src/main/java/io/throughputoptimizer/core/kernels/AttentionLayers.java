package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import java.util.SortedMap;

/// Layers of one kind of attention on a rank: their kernels, weights and cached bytes per request.
sealed interface AttentionLayers
        permits GroupedQueryLayers,
                LatentLayers,
                SelectingLayers,
                DeltaLayers,
                StateSpaceLayers,
                ConvolutionLayers,
                ChannelDeltaLayers,
                CompressedLayers,
                BlockSparseLayers {

    /// Adds their operators, from after the norm to the output projection.
    void write(PassBuilder pass);

    /// Returns the bytes that a request caches in all of them.
    RequestBytes requestBytes();

    /// Returns layers that are equal except for their window.
    ///
    /// @param attention attention without its window
    /// @param layersByWindow number of layers by window in tokens; 0 for full attention
    static AttentionLayers of(
            CalibratedDeployment deployment, AttentionSpec attention, SortedMap<Integer, Integer> layersByWindow) {
        int layers =
                layersByWindow.values().stream().mapToInt(Integer::intValue).sum();
        return switch (attention) {
            case AttentionSpec.GroupedQuery grouped -> new GroupedQueryLayers(deployment, grouped, layersByWindow);
            case AttentionSpec.MultiHeadLatent latent ->
                latent.indexer() == null
                        ? new LatentLayers(deployment, latent, layers)
                        : new SelectingLayers(deployment, latent, latent.indexer(), layers);
            case AttentionSpec.GatedDelta delta ->
                delta.forgetsByChannel()
                        ? new ChannelDeltaLayers(deployment, delta, layers)
                        : new DeltaLayers(deployment, delta, layers);
            case AttentionSpec.BlockSparse sparse ->
                sparse.indexer() == null
                        ? of(deployment, attendingToAll(sparse), layersByWindow)
                        : new BlockSparseLayers(deployment, sparse, sparse.indexer(), layers);
            case HybridSpec.StateSpace space -> new StateSpaceLayers(deployment, space, layers);
            case HybridSpec.ShortConvolution convolution -> new ConvolutionLayers(deployment, convolution, layers);
            case HybridSpec.Absent _ -> throw new IllegalArgumentException("layers without attention have no kernels");
            case CompressedSpec compressed -> new CompressedLayers(deployment, compressed, layers);
        };
    }

    private static AttentionSpec.GroupedQuery attendingToAll(AttentionSpec.BlockSparse sparse) {
        return new AttentionSpec.GroupedQuery(
                sparse.queryHeads(),
                sparse.keyValueHeads(),
                sparse.headSize(),
                AttentionSpec.HeadNorm.PER_HEAD,
                false,
                false);
    }
}
