package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.CostModel;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// All passes of one deployment, on any device: each kind of pass is written down when it is first met, and then holds
/// for every shape of that kind. Thread-safe.
public final class ForwardPlan {
    private final Deployment deployment;
    private final @Nullable ExpertSplit experts;
    private final @Nullable LatentLoad latent;
    private final Map<PassKind, PassPlan> passes = new ConcurrentHashMap<>();

    /// @throws IllegalArgumentException when the model cannot be laid out as the deployment says
    ///     ([Deployment#obstacle()])
    public ForwardPlan(Deployment deployment) {
        deployment.obstacle().ifPresent(obstacle -> {
            throw new IllegalArgumentException(obstacle);
        });
        this.deployment = deployment;
        this.experts = switch (deployment.model().feedForward()) {
            case FeedForwardSpec.Dense _ -> null;
            case FeedForwardSpec.RoutedExperts routed -> ExpertSplit.of(deployment, routed);
        };
        this.latent = switch (deployment.model().attention()) {
            case AttentionSpec.GroupedQuery _ -> null;
            case AttentionSpec.MultiHeadLatent spec ->
                new LatentLoad(
                        spec.indexer(), deployment.quantization().attention().isEnabled());
        };
    }

    /// The same passes with their prices on one kind of device.
    ///
    /// @param reservedBytes memory of each device that is kept free
    public PricedPlan on(DeviceProfile device, CostModel costs, double reservedBytes) {
        return new PricedPlan(this, costs, device.memory().capacityBytes(), reservedBytes);
    }

    RankBatch batch(ForwardShape shape) {
        return RankBatch.of(shape, deployment);
    }

    /// What kind of pass a batch makes.
    ///
    /// @param quantities takes what passes of that kind differ in
    PassKind read(RankBatch batch, double[] quantities) {
        int draftTokens = deployment.execution().mtpTokens();
        long tokens = batch.read(draftTokens, quantities);
        if (latent != null) {
            latent.read(batch, quantities);
        }
        return new PassKind(
                batch.selection(draftTokens),
                draftTokens,
                batch.images() == null ? null : batch.images().grid(),
                experts == null ? null : experts.read(tokens, quantities));
    }

    /// Draft tokens beside requests of both phases were never measured.
    boolean provesMemory(PassPlan pass, RankBatch batch) {
        return pass.memoryProved() && !(deployment.execution().mtpTokens() > 0 && batch.hasBothPhases());
    }

    PassPlan pass(PassKind kind) {
        return passes.computeIfAbsent(kind, met -> PassPlan.of(deployment, met));
    }
}
