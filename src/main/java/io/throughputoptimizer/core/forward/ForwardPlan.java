package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.AnalyticCostModel;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.forward.attention.AttentionTraits;
import io.throughputoptimizer.core.forward.attention.AttentionTraits.Window;
import io.throughputoptimizer.core.forward.decoder.PassKind;
import io.throughputoptimizer.core.forward.feedforward.ExpertSplit;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// All passes of one deployment, on any device: each kind of pass is written down when it is first met, and then holds
/// for every shape of that kind. Thread-safe.
public final class ForwardPlan {
    private final Deployment deployment;
    private final Runnable growth;
    private final @Nullable ExpertSplit experts;
    private final @Nullable LatentLoad latent;
    private final @Nullable BlockLoad blocks;
    private final @Nullable DeltaLoad delta;
    private final @Nullable CompressedLoad compressed;
    private final @Nullable RecentLoad recent;
    private final boolean joinsHeads;
    private final int capacityFactor;
    private final Map<PassKind, PassPlan> passes = new ConcurrentHashMap<>();
    private final Map<AnalyticCostModel, Map<PassKind, PricedPassPlan>> priced = new ConcurrentHashMap<>();

    /// @throws IllegalArgumentException when the model cannot be laid out as the deployment says
    ///     ([Deployment#obstacle()])
    public ForwardPlan(Deployment deployment) {
        this(deployment, () -> {});
    }

    /// @param growth runs after another kind of pass was written down or priced
    /// @throws IllegalArgumentException when the model cannot be laid out as the deployment says
    ///     ([Deployment#obstacle()])
    public ForwardPlan(Deployment deployment, Runnable growth) {
        deployment.obstacle().ifPresent(obstacle -> {
            throw new IllegalArgumentException(obstacle.part() + ": " + obstacle.reason());
        });
        this.deployment = deployment.asPriced();
        this.growth = growth;
        this.experts = deployment
                .model()
                .experts()
                .map(routed -> ExpertSplit.of(deployment, routed))
                .orElse(null);
        this.latent = LatentLoad.of(deployment).orElse(null);
        this.blocks = BlockLoad.of(deployment).orElse(null);
        this.delta = DeltaLoad.of(deployment).orElse(null);
        this.compressed = CompressedLoad.of(deployment).orElse(null);
        this.recent = RecentLoad.of(this.deployment).orElse(null);
        this.joinsHeads = deployment.model().joinsHeads();
        this.capacityFactor = deployment.cacheCapacityFactor();
    }

    /// Returns these passes with prices.
    ///
    /// @param deployment the planned deployment, or the same on another device; sets the memory
    public PricedPlan on(AnalyticCostModel costs, Deployment deployment) {
        return new PricedPlan(
                this,
                costs,
                priced.computeIfAbsent(costs, _ -> new ConcurrentHashMap<>()),
                deployment.device().memory().capacityBytes(),
                deployment.execution().reservedMemoryBytes());
    }

    /// Operators kept, with prices and without: what the plan takes of memory is in proportion to it.
    public int size() {
        int size = 1;
        for (PassPlan pass : passes.values()) {
            size += pass.calls().size();
        }
        for (Map<PassKind, PricedPassPlan> onOneDevice : priced.values()) {
            for (PricedPassPlan pass : onOneDevice.values()) {
                size += pass.size();
            }
        }
        return size;
    }

    /// The inputs that decide a plan: deployments with equal keys share one.
    public record Key(
            ModelArchitecture model,
            ParallelLayout layout,
            QuantizationScheme quantization,
            boolean compiled,
            int mtpTokens,
            PassAccounting accounting,
            boolean splitsSharedExperts,
            boolean fusesReductions) {
        public static Key of(Deployment deployment) {
            return new Key(
                    deployment.model(),
                    deployment.layout(),
                    deployment.quantization(),
                    deployment.execution().compiled(),
                    deployment.execution().mtpTokens(),
                    deployment.execution().accounting(),
                    deployment.execution().splitsSharedExperts(),
                    deployment.execution().fusesReductions());
        }

        /// The model's name stands for all of it.
        @Override
        public int hashCode() {
            return Objects.hash(
                    model.id(),
                    layout,
                    quantization,
                    compiled,
                    mtpTokens,
                    accounting,
                    splitsSharedExperts,
                    fusesReductions);
        }
    }

    RankBatch batch(ForwardShape shape) {
        return RankBatch.of(shape, deployment);
    }

    /// Returns the kind of pass that a batch makes.
    ///
    /// @param quantities receives the quantities in which passes of that kind differ
    PassKind read(RankBatch batch, Quantities quantities) {
        int draftTokens = deployment.execution().mtpTokens();
        long tokens = batch.read(draftTokens, capacityFactor, quantities);
        boolean sharesContext = deployment.layout().dcp() > 1 && batch.sharesContext();
        if (latent != null) {
            latent.read(batch, sharesContext ? deployment.layout().dcp() : 1, quantities);
        }
        if (blocks != null) {
            blocks.read(batch, quantities);
        }
        if (recent != null) {
            recent.read(batch, quantities);
        }
        return new PassKind(
                batch.selection(draftTokens),
                draftTokens,
                new AttentionTraits(
                        tokens == 1 && (joinsHeads || compressed != null),
                        delta != null && delta.read(batch, tokens, quantities),
                        sharesContext,
                        compressed == null ? Window.NONE : compressed.read(batch, quantities)),
                batch.images() == null ? null : batch.images().grid(),
                experts == null ? null : experts.read(tokens, quantities));
    }

    /// Draft tokens beside requests of both phases were never measured. Where heads are turned in steps, passes
    /// that decode differ from the reference by some kilobytes; so do experts beside the gated delta rule.
    boolean provesMemory(PassPlan pass, RankBatch batch) {
        boolean mixesDrafts = deployment.execution().mtpTokens() > 0 && batch.hasBothPhases();
        boolean mixesKinds = delta != null && experts != null;
        boolean turnsInSteps = joinsHeads || deployment.model().rotatesWide();
        return pass.memoryProved() && !mixesDrafts && !mixesKinds && !(turnsInSteps && batch.decodes());
    }

    PricedPassPlan price(PassKind kind, AnalyticCostModel costs) {
        PassPlan pass = passes.computeIfAbsent(kind, met -> PassPlan.of(deployment, met));
        return new PricedPassPlan(pass, costs);
    }

    void grown() {
        growth.run();
    }
}
