package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Optional;
import java.util.stream.Stream;

/// One instance of a model on devices of one kind: all that the cost of a forward pass depends on besides
/// the requests in it.
///
/// @param execution how passes are run
public record Deployment(
        ModelArchitecture model,
        DeviceProfile device,
        ParallelLayout layout,
        QuantizationScheme quantization,
        Execution execution) {

    /// How passes are run.
    ///
    /// @param compiled whether the graph is compiled, which fuses and merges operators
    /// @param mtpTokens draft tokens a decode step predicts besides the next one
    /// @param reservedMemoryBytes memory of each device that is kept free
    public record Execution(boolean compiled, int mtpTokens, double reservedMemoryBytes) {
        public Execution {
            if (mtpTokens < 0) {
                throw new IllegalArgumentException("mtp tokens is " + mtpTokens + ": at least 0 is needed");
            }
            if (!(reservedMemoryBytes >= 0)) {
                throw new IllegalArgumentException(
                        "reserved memory is " + reservedMemoryBytes + " bytes: at least 0 is needed");
            }
        }
    }

    /// Why the model cannot be run this way; empty when it can.
    ///
    /// - Heads: query heads must divide evenly over the tensor parallel group; key-value heads either divide over
    ///   it or are replicated evenly within it.
    /// - Experts: each expert parallel rank must own at least one, and none may be split into more parts than it
    ///   is wide.
    /// - Drafts: only families whose multi-token prediction is modelled have them.
    /// - Eager passes are modelled for some families only.
    /// - Latent attention on a quantized cache needs quantized linear layers.
    public Optional<String> obstacle() {
        return Stream.of(headObstacle(), expertObstacle(), draftObstacle(), eagerObstacle(), cacheObstacle())
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> headObstacle() {
        int tp = layout.tp();
        return switch (model.attention()) {
            case AttentionSpec.GroupedQuery attention -> headObstacle(attention, tp);
            case AttentionSpec.MultiHeadLatent attention ->
                when(attention.heads() % tp != 0, attention.heads() + " heads do not divide over tp " + tp);
        };
    }

    private static Optional<String> headObstacle(AttentionSpec.GroupedQuery attention, int tp) {
        if (attention.queryHeads() % tp != 0) {
            return Optional.of(attention.queryHeads() + " query heads do not divide over tp " + tp);
        }
        int keyValueHeads = attention.keyValueHeads();
        boolean even = keyValueHeads >= tp ? keyValueHeads % tp == 0 : tp % keyValueHeads == 0;
        return when(!even, keyValueHeads + " key-value heads neither divide over tp " + tp + " nor replicate in it");
    }

    private Optional<String> expertObstacle() {
        return switch (model.feedForward()) {
            case FeedForwardSpec.Dense _ -> Optional.empty();
            case FeedForwardSpec.RoutedExperts routed -> {
                ParallelLayout.ExpertLayout experts = layout.experts();
                if (experts == null) {
                    yield Optional.of("the layout does not say how to split the experts of " + model.id());
                }
                int count = routed.routing().experts();
                boolean resharded = experts.ep() > 1 && experts.moeTp() > 1 && experts.moeTp() != layout.tp();
                yield when(experts.ep() > count, count + " experts do not spread over ep " + experts.ep())
                        .or(() -> when(
                                resharded && !execution.compiled(),
                                "experts split over moe_tp " + experts.moeTp() + " beside tp " + layout.tp()
                                        + " are not modelled for passes that are not compiled"))
                        .or(() -> when(
                                experts.moeTp() > routed.expertWidth(),
                                "experts " + routed.expertWidth() + " wide do not split over moe_tp "
                                        + experts.moeTp()));
            }
        };
    }

    private Optional<String> draftObstacle() {
        return when(
                execution.mtpTokens() > 0 && !model.predictsDrafts(),
                "multi-token prediction is not modelled for " + model.family());
    }

    private Optional<String> eagerObstacle() {
        return when(
                !execution.compiled() && !model.runsEager(),
                "passes that are not compiled are not modelled for " + model.family());
    }

    private Optional<String> cacheObstacle() {
        boolean latent = model.attention() instanceof AttentionSpec.MultiHeadLatent;
        return when(
                latent
                        && quantization.attention().isEnabled()
                        && !quantization.linear().isEnabled(),
                "latent attention on a cache quantized to " + quantization.attention()
                        + " needs quantized linear layers");
    }

    private static Optional<String> when(boolean obstructed, String reason) {
        return obstructed ? Optional.of(reason) : Optional.empty();
    }
}
