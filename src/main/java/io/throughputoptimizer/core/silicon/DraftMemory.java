package io.throughputoptimizer.core.silicon;

import java.util.Locale;
import java.util.Optional;

/// What the layer that drafts takes of a rank's memory. [SiliconMemory] does not count it, as the rule for what is left
/// to the KV cache was fitted without it.
///
/// @param weightBytes of the layer and the product `[2 H, H]` that joins a token and the state before it; embedding and
///     head are those of the model
/// @param bytesPerToken of its KV cache
public record DraftMemory(double weightBytes, double bytesPerToken) {
    private static final double GIB = 1024.0 * 1024 * 1024;

    /// Of a deployment without obstacles; empty where steps draft nothing.
    public static Optional<DraftMemory> of(SiliconDeployment deployment) {
        if (!deployment.isDrafting()) {
            return Optional.empty();
        }
        SiliconDeployment layer = deployment.ofDrafts();
        double hidden = deployment.model().hiddenSize();
        double joining =
                2 * hidden * hidden * deployment.precision().scheme().dense().weightBytes();
        return Optional.of(new DraftMemory(
                SiliconMemory.layerBytes(layer) + joining,
                SiliconMemory.requestBytes(layer).perToken()));
    }

    /// What to know of a memory that leaves it out.
    public String words() {
        return String.format(
                Locale.ROOT,
                "memory does not count the layer that drafts: some %.2f GiB of weights and %.0f bytes of cache a token"
                        + " on each rank",
                weightBytes / GIB,
                bytesPerToken);
    }
}
