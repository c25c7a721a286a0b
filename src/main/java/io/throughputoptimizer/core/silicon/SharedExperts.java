package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.model.FeedForwardSpec;

/// Shared experts, the network that every token visits in addition to its routed experts.
final class SharedExperts {
    private SharedExperts() {}

    /// Returns the width on a rank: sharded over tensor parallel ranks, or whole if attention is data parallel.
    static double width(FeedForwardSpec.RoutedExperts routed, SiliconDeployment deployment) {
        double parts = deployment.isDataParallel() ? 1 : deployment.layout().tp();
        return routed.sharedWidth() / parts;
    }
}
