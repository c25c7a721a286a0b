package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Optional;

/// Support of shared experts split over the tensor parallel ranks: plain networks in compiled graphs with
/// expert parallelism, as in msmodeling.
final class SharedExpertSplit {
    private SharedExpertSplit() {}

    /// Returns the reason the shared experts of the model cannot be split on any layout; empty if they can.
    static Optional<Obstacle> obstacle(ModelArchitecture model, boolean compiled, int mtpTokens) {
        String family = model.family();
        Optional<RoutedExperts> experts = model.experts().filter(routed -> routed.sharedWidth() > 0);
        if (experts.isEmpty()) {
            return refusal("model " + model.id() + " has no shared experts");
        }
        if (experts.get().sharedGate()) {
            return refusal("splitting gated shared experts of " + family + " is not supported");
        }
        if (experts.get().sharedActivation() != GatedActivation.SILU) {
            return refusal("splitting shared experts of " + family + " is not supported");
        }
        if (!compiled) {
            return refusal("splitting shared experts requires compile: true");
        }
        DraftLayers drafts = model.drafts();
        return mtpTokens > 0 && drafts != null && drafts.attention() instanceof AttentionSpec.GroupedQuery
                ? refusal("splitting shared experts of draft layers of " + family + " is not supported")
                : Optional.empty();
    }

    /// Returns the reason the layout does not support the split; empty if it does.
    static Optional<Obstacle> obstacle(ParallelLayout.ExpertLayout layout) {
        return layout.ep() > 1
                ? Optional.empty()
                : Optional.of(new Obstacle(Part.SHARED_EXPERTS, "shared_expert_tp requires ep above 1, got 1"));
    }

    private static Optional<Obstacle> refusal(String reason) {
        return Optional.of(new Obstacle(Part.SHARED_EXPERTS, "must be false: " + reason));
    }
}
