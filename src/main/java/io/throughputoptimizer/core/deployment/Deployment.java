package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.Projections;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import java.util.Optional;

/// One instance of a model on devices of one kind: everything except the requests that determines the cost of a
/// forward pass.
///
/// @param execution execution options of passes
public record Deployment(
        ModelArchitecture model,
        DeviceProfile device,
        ParallelLayout layout,
        QuantizationScheme quantization,
        Execution execution) {

    /// Returns the reason the model cannot run this way; empty if it can.
    ///
    /// - Layout: heads, shared contexts and experts can be split as it says ([LayoutObstacles]).
    /// - Execution options must be modeled ([Execution#obstacles]).
    public Optional<Obstacle> obstacle() {
        return new LayoutObstacles(model, layout, execution)
                .first()
                .or(() -> execution.obstacles(model, quantization).stream().findFirst())
                .or(this::joinedObstacle)
                .or(this::uncachedObstacle)
                .or(this::normObstacle);
    }

    /// Rejects norms across heads in single operators: with documented accounting they fail if ranks hold a
    /// part of the heads.
    private Optional<Obstacle> normObstacle() {
        return Obstacle.when(
                execution.accounting() == PassAccounting.DOCUMENTED
                        && model.norms() == NormStyle.WIDE
                        && layout.tp() > 1,
                Obstacle.Part.TENSOR_PARALLEL,
                "norms across the heads of " + model.family() + " fail in the reference with tp " + layout.tp()
                        + "; with accounting steady each rank normalizes its own");
    }

    private Optional<Obstacle> uncachedObstacle() {
        return Obstacle.when(
                forgetsContext() && quantization.attention().isEnabled(),
                Obstacle.Part.CACHE_QUANTIZATION,
                "is " + quantization.attention() + ": the reference hands attention of " + model.family()
                        + " no cache, and a quantized one was never measured; with accounting steady it is priced");
    }

    /// Rejects joined weights that msmodeling keeps whole on each rank and multiplies by a part of the next
    /// weight, which works only if they are quantized.
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
                        + " unless they are quantized; with accounting steady all are split");
    }

    /// Returns the deployment as the accounting prices it: msmodeling lets layers with a window attend to all
    /// tokens.
    public Deployment asPriced() {
        boolean overlooks = execution.accounting() == PassAccounting.DOCUMENTED && model.slides();
        return overlooks ? new Deployment(model.withoutWindows(), device, layout, quantization, execution) : this;
    }

    /// Returns whether attention is priced over the tokens of the same pass only: for these models msmodeling
    /// passes neither the cache nor the request lengths to attention.
    public boolean forgetsContext() {
        return execution.accounting() == PassAccounting.DOCUMENTED && model.projects(Projections.COPIED);
    }

    /// Returns a warning if msmodeling ignores tokens before a pass or lets layers with a window attend to all
    /// tokens.
    public Optional<String> overlooked() {
        return forgetsContext()
                ? Optional.of("tokens are priced as if they attended to those of the same pass alone, as the reference"
                        + " does, so decode steps are as long with any context: accounting steady attends to all"
                        + " of it")
                : overlookedWindow();
    }

    private Optional<String> overlookedWindow() {
        return asPriced().model().slides()
                ? Optional.empty()
                : model.window()
                        .map(window -> "layers that see " + window + " tokens are priced as if they saw all, as the"
                                + " reference does: accounting steady keeps to the window");
    }

    /// Returns a warning for decode steps that select tokens from an unquantized cache: the efficiency of
    /// reading a selection was fitted to passes of one request and is extrapolated.
    ///
    /// @param requests decoding requests per rank
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

    /// Returns the factor by which decode context parallelism increases the KV cache capacity of a rank, in
    /// tokens. With `P` ranks that share a sequence: `P` for latent attention, or 1 with an indexer, whose
    /// cache is on every rank; `min(P, max(1, T / hk))` for grouped-query attention, since only ranks with the
    /// same key-value head save memory.
    public int cacheCapacityFactor() {
        int dcp = layout.dcp();
        return model.attentions().stream()
                .mapToInt(attention -> switch (attention) {
                    case AttentionSpec.GroupedQuery grouped ->
                        Math.min(dcp, Math.max(1, layout.tp() / grouped.keyValueHeads()));
                    case AttentionSpec.GatedDelta _ -> dcp;
                    case AttentionSpec.BlockSparse _ -> 1;
                    case AttentionSpec.MultiHeadLatent latent -> latent.indexer() == null ? dcp : 1;
                    case CompressedSpec _, HybridSpec _ -> 1;
                })
                .min()
                .orElse(1);
    }
}
