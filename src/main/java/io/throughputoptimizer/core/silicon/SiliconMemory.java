package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.MeasuredAttention;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.silicon.SiliconDeployment.MeasuredLayers;
import io.throughputoptimizer.core.silicon.kernel.Heads;

/// Memory of one rank. An estimate: measured servers differ by tens of percent.
///
/// @param weightBytes weights with their scales, `W`
/// @param cacheBytes what the engine leaves to the KV cache; 0 or less when the model does not fit
/// @param cacheBytesPerToken a token in the KV cache; layers with a window count in full
public record SiliconMemory(double weightBytes, double cacheBytes, double cacheBytesPerToken) {

    /// Bytes of a weight that is not quantized.
    private static final double PLAIN_WEIGHT = 2;

    /// Matrices of a gated network.
    private static final double NETWORK_MATRICES = 3;

    /// Memory of a rank of that deployment, which has no obstacle.
    public static SiliconMemory of(SiliconDeployment deployment) {
        double weights = weightBytes(deployment);
        double capacity = deployment.calibration().peaks().memoryBytes();
        return new SiliconMemory(
                weights, deployment.engine().cacheRule().cacheBytes(capacity, weights), cacheBytesPerToken(deployment));
    }

    /// Tokens that the cache of one attention data parallel rank holds; 0 or less when the model does not fit.
    public double cacheTokens() {
        return cacheBytes / cacheBytesPerToken;
    }

    private static double weightBytes(SiliconDeployment deployment) {
        ModelArchitecture model = deployment.model();
        double layers = 0;
        for (MeasuredLayers group : deployment.layers()) {
            layers += group.count()
                    * (attentionBytes(group.attention(), deployment)
                            + feedForwardBytes(group.feedForward(), deployment));
        }
        double tables = model.tiesEmbeddings() ? 1 : 2;
        double vocabulary = tables * model.vocabularySize() * model.hiddenSize() * PLAIN_WEIGHT;
        return layers + vocabulary / deployment.layout().tp();
    }

    private static double attentionBytes(MeasuredAttention attention, SiliconDeployment deployment) {
        double hidden = deployment.model().hiddenSize();
        ParallelLayout layout = deployment.layout();
        double elements = switch (attention) {
            case AttentionSpec.GroupedQuery grouped -> {
                Heads heads = RankHeads.of(grouped, layout);
                yield hidden * 2 * (heads.query() + heads.keyValue()) * heads.size();
            }
            case AttentionSpec.MultiHeadLatent latent -> {
                AttentionSpec.LatentHead head = latent.head();
                double ofHead = (double) latent.queryRank() * head.query()
                        + (double) latent.keyValueRank() * (head.plain() + head.value())
                        + head.value() * hidden;
                yield hidden * (latent.queryRank() + latent.entryWidth()) + RankHeads.of(latent, layout) * ofHead;
            }
        };
        return elements * deployment.precision().scheme().attention().weightBytes();
    }

    private static double feedForwardBytes(FeedForwardSpec feedForward, SiliconDeployment deployment) {
        double hidden = deployment.model().hiddenSize();
        Scheme scheme = deployment.precision().scheme();
        return switch (feedForward) {
            case FeedForwardSpec.Dense dense ->
                NETWORK_MATRICES
                        * hidden
                        * dense.intermediateSize()
                        / deployment.layout().tp()
                        * scheme.dense().weightBytes();
            case FeedForwardSpec.RoutedExperts routed -> {
                int experts = routed.routing().experts();
                double expert = NETWORK_MATRICES * hidden * routed.expertWidth() / deployment.moeTp();
                double shared = NETWORK_MATRICES * hidden * SharedExperts.width(routed, deployment);
                double weight = scheme.experts(deployment.calibration().peaks()).weightBytes();
                yield expert * experts / deployment.ep() * weight
                        + shared * scheme.dense().weightBytes()
                        + PLAIN_WEIGHT * hidden * experts;
            }
        };
    }

    private static double cacheBytesPerToken(SiliconDeployment deployment) {
        double elements = 0;
        for (MeasuredLayers group : deployment.layers()) {
            elements += group.count() * cacheWidth(group.attention(), deployment.layout());
        }
        return elements * deployment.precision().cache().bytes();
    }

    private static double cacheWidth(MeasuredAttention attention, ParallelLayout layout) {
        return switch (attention) {
            case AttentionSpec.GroupedQuery grouped -> {
                Heads heads = RankHeads.of(grouped, layout);
                yield 2 * heads.keyValue() * heads.size();
            }
            case AttentionSpec.MultiHeadLatent latent -> latent.entryWidth();
        };
    }
}
