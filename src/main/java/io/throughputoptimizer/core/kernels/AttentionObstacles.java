package io.throughputoptimizer.core.kernels;

import static io.throughputoptimizer.core.deployment.Obstacle.when;

import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.kernels.operator.LatentDecode;
import io.throughputoptimizer.core.kernels.operator.LatentPrefill;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Optional;

/// Reasons why calibrated kernels cannot price an attention: modules and latent attention were measured with
/// heads of certain widths only.
final class AttentionObstacles {
    private AttentionObstacles() {}

    /// Returns the obstacle of widths, on any device.
    static Optional<Obstacle> ofWidths(ModelArchitecture model) {
        return model.attentions().stream()
                .map(attention -> ofWidths(model, attention))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<Obstacle> ofWidths(ModelArchitecture model, AttentionSpec attention) {
        return switch (attention) {
            case AttentionSpec.GroupedQuery _, AttentionSpec.GatedDelta _, HybridSpec _ -> Optional.empty();
            case AttentionSpec.MultiHeadLatent latent -> ofLatent(model, latent);
            case AttentionSpec.BlockSparse sparse -> ofBlocks(model, sparse);
            case CompressedSpec compressed -> ofCompressed(model, compressed);
        };
    }

    private static Optional<Obstacle> ofLatent(ModelArchitecture model, AttentionSpec.MultiHeadLatent latent) {
        AttentionSpec.LatentHead head = latent.head();
        AttentionSpec.Indexer indexer = latent.indexer();
        if (indexer != null) {
            boolean measured = latent.keyValueRank() == SelectingLayers.RANK
                    && head.rotated() == SelectingLayers.ROTATED
                    && indexer.headSize() == SelectingLayers.INDEX_SIZE
                    && indexer.selectedTokens() == SelectingLayers.SELECTED;
            return unlessMeasured(
                    measured,
                    "sparse attention was measured on entries of 512 + 64 elements, with index heads of 128 and 2048"
                            + " selected tokens only",
                    model);
        }
        boolean measured = head.query() + head.value() == LatentPrefill.WIDTH
                && latent.entryWidth() == LatentDecode.ENTRY
                && latent.entryWidth() + latent.keyValueRank() == LatentDecode.WIDTH;
        return unlessMeasured(
                measured,
                "latent attention was measured with heads of 128 + 64 and 128 elements on entries of 512 + 64 only",
                model);
    }

    private static Optional<Obstacle> ofBlocks(ModelArchitecture model, AttentionSpec.BlockSparse sparse) {
        AttentionSpec.BlockIndexer indexer = sparse.indexer();
        boolean measured = indexer == null
                || (sparse.headSize() == BlockSparseLayers.HEAD
                        && indexer.headSize() == BlockSparseLayers.HEAD
                        && indexer.selectedTokens() == BlockSparseLayers.SELECTED);
        return unlessMeasured(
                measured,
                "attention to blocks was measured with heads and index heads of 128 elements and 2048 selected tokens"
                        + " only",
                model);
    }

    private static Optional<Obstacle> ofCompressed(ModelArchitecture model, CompressedSpec compressed) {
        AttentionSpec.Indexer indexer = compressed.indexer();
        boolean measured = compressed.headSize() == CompressedLayers.HEAD
                && compressed.window() == CompressedLayers.WINDOW
                && compressed.output().rank() == CompressedLayers.GROUP_RANK
                && indexer.heads() == CompressedLayers.INDEX_HEADS
                && indexer.headSize() == CompressedLayers.INDEX_SIZE;
        return unlessMeasured(
                measured,
                "compressed attention was measured with heads of 512 elements, a window of 128 tokens, groups of 1024"
                        + " and 64 index heads of 128 elements only",
                model);
    }

    private static Optional<Obstacle> unlessMeasured(boolean measured, String what, ModelArchitecture model) {
        return when(!measured, Part.MODEL, what + ", and that of " + model.id() + " is another");
    }

    /// Returns the obstacle of number formats: entries of compressed attention are in FP8, and modules were
    /// never measured with W8A8.
    static Optional<Obstacle> ofPrecision(ModelArchitecture model, Precision precision) {
        boolean compressed = model.compressed().isPresent();
        boolean module = model.attentions().stream().anyMatch(AttentionSpec::cachesInOwnFormat);
        return when(
                        compressed && precision.cache() != CacheType.FP8,
                        Part.CACHE_QUANTIZATION,
                        "the cache of " + model.family() + " is in fp8 only")
                .or(() -> when(
                        module && precision.scheme() == Scheme.W8A8,
                        Part.LINEAR_QUANTIZATION,
                        "attention of " + model.family() + " was never measured with scheme W8A8"));
    }
}
