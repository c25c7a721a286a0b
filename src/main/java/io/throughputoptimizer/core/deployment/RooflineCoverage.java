package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.BlockResiduals;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.HeadRotation;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.Router;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Coverage of the analytic model: the passes of a model whose graphs msmodeling has.
public record RooflineCoverage(ModelArchitecture model) {

    /// Families of which msmodeling recorded no pass, although it may have their parts.
    private static final Set<String> UNRECORDED = Set.of("mixtral", "nemotron-nas");

    /// Describes the part of the model without a price; empty if all have one.
    public Optional<String> unpricedPart() {
        if (UNRECORDED.contains(model.family())) {
            return Optional.of("a pass");
        }
        if (model.connections() instanceof BlockResiduals) {
            return Optional.of("attention to residuals");
        }
        return model.groups().stream()
                .flatMap(group -> Stream.of(unpriced(group.attention()), unpriced(group.feedForward()))
                        .flatMap(Optional::stream))
                .findFirst();
    }

    private static Optional<String> unpriced(AttentionSpec attention) {
        return switch (attention) {
            case AttentionSpec.GatedDelta delta ->
                delta.forgetsByChannel() ? Optional.of("Kimi delta attention") : Optional.empty();
            case AttentionSpec.MultiHeadLatent latent ->
                latent.gatesOutput() ? Optional.of("gated latent attention") : Optional.empty();
            case HybridSpec _ -> Optional.of("a hybrid layer");
            case AttentionSpec.GroupedQuery _, AttentionSpec.BlockSparse _, CompressedSpec _ -> Optional.empty();
        };
    }

    private static Optional<String> unpriced(FeedForwardSpec feedForward) {
        return switch (feedForward) {
            case FeedForwardSpec.Absent _ -> Optional.of("a hybrid layer");
            case FeedForwardSpec.Dense _ -> Optional.empty();
            case RoutedExperts routed ->
                routed.latentWidth() > 0 ? Optional.of("routing in a narrower space") : Optional.empty();
        };
    }

    /// Returns whether decode context parallelism is modeled. It was never measured with norms across heads,
    /// windows, selected blocks, rotations other than by halves, or joined weights.
    public boolean splitsContext() {
        return model.attentions().stream().allMatch(attention -> switch (attention) {
            case AttentionSpec.GroupedQuery grouped ->
                grouped.headNorm() != AttentionSpec.HeadNorm.ACROSS_HEADS
                        && !grouped.slides()
                        && grouped.projections() == AttentionSpec.Projections.APART
                        && grouped.rotation() == HeadRotation.HALVES;
            case AttentionSpec.GatedDelta _, AttentionSpec.MultiHeadLatent _ -> true;
            case AttentionSpec.BlockSparse _, CompressedSpec _, HybridSpec _ -> false;
        });
    }

    /// Returns whether uncompiled passes are modeled. They were never measured for latent attention to all
    /// tokens, norms across heads and some routers.
    public boolean runsEager() {
        return model.groups().stream().allMatch(this::runsEager);
    }

    private boolean runsEager(LayerGroup group) {
        boolean knownAttention = switch (group.attention()) {
            case AttentionSpec.GroupedQuery grouped ->
                grouped.headNorm() != AttentionSpec.HeadNorm.ACROSS_HEADS || model.norms() == NormStyle.WIDE;
            case AttentionSpec.GatedDelta _, AttentionSpec.BlockSparse _, CompressedSpec _ -> true;
            case HybridSpec _ -> false;
            case AttentionSpec.MultiHeadLatent latent -> latent.indexer() != null;
        };
        boolean knownFeedForward = switch (group.feedForward()) {
            case FeedForwardSpec.Dense _ -> true;
            case FeedForwardSpec.Absent _ -> false;
            case RoutedExperts routed ->
                switch (routed.routing().router()) {
                    case Router.Softmax _,
                            Router.NormedSoftmax _,
                            Router.CorrectedSoftmax _,
                            Router.FusedSigmoid _,
                            Router.SquareRoot _ -> true;
                    case Router.RawLogits raw -> raw.own() != null;
                    case Router.GroupLimited limited -> limited.biasBytes() == Router.GroupLimited.HALF;
                    case Router.Sigmoid _ -> false;
                };
        };
        return knownAttention && knownFeedForward;
    }
}
