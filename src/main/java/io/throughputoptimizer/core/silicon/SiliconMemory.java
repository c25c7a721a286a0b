package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.steady.CacheUse;
import java.util.Map;
import java.util.TreeMap;

/// Memory of one rank. An estimate: measured servers differ by tens of percent.
///
/// @param weightBytes weights with their scales, `W`
/// @param cacheBytes what the engine leaves to the KV cache; 0 or less when the model does not fit
/// @param request what a request keeps: tokens in the KV cache, of which layers of grouped-query
///     attention with a
///     window
///     count in full, and recurrent states
public record SiliconMemory(double weightBytes, double cacheBytes, RequestBytes request) {

    /// Bytes of a weight that is not quantized.
    private static final double PLAIN_WEIGHT = 2;

    /// Matrices of a gated network.
    private static final double NETWORK_MATRICES = 3;

    /// Memory of a rank of that deployment, which has no obstacle.
    public static SiliconMemory of(SiliconDeployment deployment) {
        double weights = weightBytes(deployment);
        double capacity = deployment.calibration().peaks().memoryBytes();
        return new SiliconMemory(
                weights, deployment.engine().cacheRule().cacheBytes(capacity, weights), requestBytes(deployment));
    }

    /// Memory of the same on one device, whose cache is one copy of all that a request keeps, as it moves from prefill
    /// to decode.
    public static SiliconMemory ofOneCopy(SiliconDeployment deployment) {
        return of(new SiliconDeployment(
                deployment.model(),
                deployment.calibration(),
                SiliconDeployment.layout(deployment.model(), 1, 1, 1),
                deployment.engine(),
                deployment.precision()));
    }

    /// Bytes that so many tokens of a request take.
    public double bytes(int tokens) {
        return cacheBytesPerToken() * cacheUse().of(tokens);
    }

    static RequestBytes requestBytes(SiliconDeployment deployment) {
        return deployment.attention().stream()
                .map(AttentionLayers::requestBytes)
                .reduce(RequestBytes.ofTokens(0), RequestBytes::plus);
    }

    /// A token in the KV cache, besides what a request keeps whatever its length is.
    public double cacheBytesPerToken() {
        return unitBytes();
    }

    /// Tokens that the cache of one attention data parallel rank holds, if they were all of one
    /// request that keeps nothing besides; 0 or less when the model does not fit.
    public double cacheTokens() {
        return cacheBytes / unitBytes();
    }

    /// What a request takes of these tokens.
    public CacheUse cacheUse() {
        double unit = unitBytes();
        return request.isOfTokensAlone() ? CacheUse.TOKENS : tokens -> request.of(tokens) / unit;
    }

    /// A token; a byte where nothing grows with the tokens.
    private double unitBytes() {
        return request.perToken() == 0 ? 1 : request.perToken();
    }

    /// Requests of that many tokens that the cache holds; 0 or less when the model does not fit.
    public double requests(double tokens) {
        return cacheBytes / request.of(tokens);
    }

    private static double weightBytes(SiliconDeployment deployment) {
        ModelArchitecture model = deployment.model();
        double tables = model.tiesEmbeddings() ? 1 : 2;
        double vocabulary = tables * model.vocabularySize() * model.hiddenSize() * PLAIN_WEIGHT;
        return layerBytes(deployment) + vocabulary / deployment.layout().tp();
    }

    /// Weights of all layers.
    static double layerBytes(SiliconDeployment deployment) {
        ModelArchitecture model = deployment.model();
        double layers = 0;
        double attention = deployment.precision().scheme().attention().weightBytes();
        for (LayerGroup group : model.groups()) {
            AttentionLayers ofKind = AttentionLayers.of(deployment, group.attention(), new TreeMap<>(Map.of(0, 1)));
            layers += group.count()
                    * (ofKind.weightElements() * attention + feedForwardBytes(group.feedForward(), deployment));
        }
        return layers;
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
                double latent = routed.latentWidth();
                double inside = latent == 0 ? hidden : latent;
                double expert = NETWORK_MATRICES * inside * routed.expertWidth() / deployment.moeTp();
                double shared = NETWORK_MATRICES * hidden * SharedExperts.width(routed, deployment);
                double weight = scheme.experts(deployment.calibration().peaks()).weightBytes();
                yield expert * experts / deployment.ep() * weight
                        + shared * scheme.dense().weightBytes()
                        + 2 * PLAIN_WEIGHT * hidden * latent
                        + PLAIN_WEIGHT * hidden * experts;
            }
        };
    }
}
