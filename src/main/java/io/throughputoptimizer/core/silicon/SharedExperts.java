package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.model.FeedForwardSpec;

/// The network that every token visits besides its routed experts.
final class SharedExperts {
    private SharedExperts() {}

    /// Its width on a rank: split over tensor parallel ranks, and whole where attention is data parallel.
    static double width(FeedForwardSpec.RoutedExperts routed, SiliconDeployment deployment) {
        double parts = deployment.isDataParallel() ? 1 : deployment.layout().tp();
        return routed.sharedWidth() / parts;
    }
}
