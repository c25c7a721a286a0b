package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.Projections;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import java.util.Optional;

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

    /// Why the model cannot be run this way; empty when it can.
    ///
    /// - Layout: heads, shared contexts and experts can be split as it says ([LayoutObstacles]).
    /// - What the execution asks for is modelled ([Execution#obstacles]).
    public Optional<Obstacle> obstacle() {
        return new LayoutObstacles(model, layout, execution)
                .first()
                .or(() -> execution.obstacles(model, quantization).stream().findFirst())
                .or(this::joinedObstacle)
                .or(this::uncachedObstacle)
                .or(this::normObstacle);
    }

    /// Norms of all heads together, in single operators, fail in the reference where ranks have a part of the heads.
    private Optional<Obstacle> normObstacle() {
        return Obstacle.when(
                execution.accounting() == PassAccounting.DOCUMENTED
                        && model.norms() == NormStyle.WIDE
                        && layout.tp() > 1,
                Obstacle.Part.TENSOR_PARALLEL,
                "norms across the heads of " + model.family() + " fail in the reference with tp " + layout.tp()
                        + "; with accounting corrected each rank normalizes its own");
    }

    private Optional<Obstacle> uncachedObstacle() {
        return Obstacle.when(
                forgetsContext() && quantization.attention().isEnabled(),
                Obstacle.Part.CACHE_QUANTIZATION,
                "is " + quantization.attention() + ": the reference hands attention of " + model.family()
                        + " no cache, and a quantized one was never measured; with accounting corrected it is priced");
    }

    /// The reference gives each rank all of what is joined in one weight, and multiplies the whole result with
    /// a part of the next weight: it can do so with quantized ones alone.
    private Optional<Obstacle> joinedObstacle() {
        boolean documented = execution.accounting() == PassAccounting.DOCUMENTED;
        return Obstacle.when(
                documented
                        && model.joinsProjections()
                        && layout.tp() > 1
                        && !quantization.nonExperts().isEnabled(),
                Obstacle.Part.LINEAR_QUANTIZATION,
                "is " + quantization.nonExperts() + ": the reference splits a part of the weights of " + model.family()
                        + " only, which fails with tp " + layout.tp()
                        + " unless they are quantized; with accounting corrected all are split");
    }

    /// The same with the model that accounting prices: the reference lets layers with a window attend to all tokens.
    public Deployment asPriced() {
        boolean overlooks = execution.accounting() == PassAccounting.DOCUMENTED && model.slides();
        return overlooks ? new Deployment(model.withoutWindows(), device, layout, quantization, execution) : this;
    }

    /// Whether it is priced as if tokens attended to those of the same pass alone, all of them to each other: the
    /// reference hands attention of such models neither the cache nor the lengths of requests.
    public boolean forgetsContext() {
        return execution.accounting() == PassAccounting.DOCUMENTED && model.projects(Projections.COPIED);
    }

    /// What to know of its prices, where the reference overlooks what came before a pass, or lets layers with a window
    /// attend to all tokens.
    public Optional<String> overlooked() {
        return forgetsContext()
                ? Optional.of("tokens are priced as if they attended to those of the same pass alone, as the reference"
                        + " does, so decode steps are as long with any context: accounting corrected attends to all"
                        + " of it")
                : overlookedWindow();
    }

    private Optional<String> overlookedWindow() {
        return asPriced().model().slides()
                ? Optional.empty()
                : model.window()
                        .map(window -> "layers that see " + window + " tokens are priced as if they saw all, as the"
                                + " reference does: accounting corrected keeps to the window");
    }

    /// What to know of decode steps where tokens are selected from a cache that is not quantized: the efficiency of
    /// reading a selection was fitted on passes of one request, and multiplied by their number.
    ///
    /// @param requests of a rank that decode
    public Optional<String> extrapolatedSelection(long requests) {
        boolean selects = model.attentions().stream()
                .anyMatch(attention ->
                        attention instanceof AttentionSpec.MultiHeadLatent latent && latent.indexer() != null);
        return selects && requests > 1 && !quantization.attention().isEnabled()
                ? Optional.of("sparse attention of " + requests + " requests that decode on a rank is extrapolated from"
                        + " one, which is all that it was fitted on: each costs as much again, and steps may be far"
                        + " shorter")
                : Optional.empty();
    }

    /// How many times as many tokens the KV cache of a rank holds because of decode context parallelism. With `P`
    /// ranks that share a sequence: latent attention `P`, with an indexer, whose cache is on every rank, 1;
    /// grouped-query attention `min(P, max(1, T / hk))`, as only ranks with the same key-value head save anything.
    public int cacheCapacityFactor() {
        int dcp = layout.dcp();
        return model.attentions().stream()
                .mapToInt(attention -> switch (attention) {
                    case AttentionSpec.GroupedQuery grouped ->
                        Math.min(dcp, Math.max(1, layout.tp() / grouped.keyValueHeads()));
                    case AttentionSpec.GatedDelta _ -> dcp;
                    case AttentionSpec.BlockSparse _ -> 1;
                    case AttentionSpec.MultiHeadLatent latent -> latent.indexer() == null ? dcp : 1;
                    case CompressedSpec _ -> 1;
                })
                .min()
                .orElse(1);
    }
}
