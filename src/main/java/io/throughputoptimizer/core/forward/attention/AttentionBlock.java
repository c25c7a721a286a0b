package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.LinearAttention;
import org.jspecify.annotations.Nullable;

/// The attention part of a layer on one rank. Every [#record] stands for another layer, on weights and cache
/// of its own.
public interface AttentionBlock {
    /// Tokens of one KV cache block.
    long BLOCK_TOKENS = 128;

    /// The attention of some of a deployment's layers.
    ///
    /// @param traits traits of the passes to record
    /// @param place place of the layers in the model
    /// @param latest latest selection of the pass to record
    static AttentionBlock of(
            Deployment deployment,
            AttentionSpec attention,
            AttentionTraits traits,
            Place place,
            LatestSelection latest,
            LinearLayers linears,
            PassRecorder pass) {
        ContextExchange context = context(deployment, traits, pass);
        return switch (attention) {
            case AttentionSpec.GroupedQuery spec -> {
                GroupedQueryShard shard = GroupedQueryShard.of(deployment, spec, linears);
                boolean compiled = deployment.execution().compiled();
                SteppedRotation rotation =
                        SteppedRotation.of(spec, compiled, traits.oneToken(), place == Place.FIRST, pass);
                yield compiled
                        ? new CompiledGroupedQueryAttention(shard, rotation, context, linears, pass)
                        : new EagerGroupedQueryAttention(shard, rotation, context, linears, pass);
            }
            case AttentionSpec.GatedDelta spec -> {
                DeltaShard shard = new DeltaShard(deployment, spec, linears);
                yield shard.isOpaque()
                        ? new OpaqueDeltaAttention(shard, traits.recurrent(), pass)
                        : new DeltaAttention(shard, linears, traits.recurrent(), pass);
            }
            case HybridSpec _ -> throw new IllegalStateException("hybrid layers have no price");
            case CompressedSpec spec ->
                new CompressedAttention(CompressedShard.of(deployment, spec, linears), traits, place, linears, pass);
            case AttentionSpec.BlockSparse spec ->
                new BlockSparseAttention(new BlockSparseShard(deployment, spec, linears), linears, pass);
            case AttentionSpec.MultiHeadLatent spec ->
                new MultiHeadLatentAttention(
                        new LatentShard(deployment, spec, linears),
                        context,
                        place == Place.FIRST,
                        latest,
                        linears,
                        pass);
        };
    }

    /// Absent where each rank attends to whole sequences.
    private static @Nullable ContextExchange context(Deployment deployment, AttentionTraits traits, PassRecorder pass) {
        return traits.sharesContext()
                ? new ContextExchange(
                        deployment.layout().dcp(), deployment.execution().compiled(), pass)
                : null;
    }

    /// The attention of a deployment's draft layers, in a compiled graph. The reference's plan of tensor parallelism
    /// leaves out grouped-query attention of these.
    ///
    /// @param traits traits of the passes to record
    /// @param place place of the layers in the model
    /// @param latest latest selection of the pass to record
    static AttentionBlock ofDrafts(
            Deployment deployment,
            AttentionSpec attention,
            AttentionTraits traits,
            Place place,
            LatestSelection latest,
            LinearLayers linears,
            PassRecorder pass) {
        return switch (attention) {
            case AttentionSpec.GroupedQuery spec ->
                new CompiledGroupedQueryAttention(
                        GroupedQueryShard.ofDrafts(deployment, spec, linears),
                        SteppedRotation.of(spec, true, traits.oneToken(), false, pass),
                        context(deployment, traits, pass),
                        linears,
                        pass);
            case CompressedSpec spec ->
                new CompressedAttention(
                        CompressedShard.ofDrafts(deployment, spec, linears),
                        traits,
                        place == Place.FIRST ? Place.LATER : place,
                        linears,
                        pass);
            case AttentionSpec.GatedDelta _,
                    AttentionSpec.BlockSparse _,
                    AttentionSpec.MultiHeadLatent _,
                    HybridSpec _ -> of(deployment, attention, traits, place, latest, linears, pass);
        };
    }

    /// Writes down one layer's attention up to and with the output projection.
    ///
    /// @param input normalized residual stream, quantized or not as the layer hands it over
    /// @return addition to the residual stream
    Tensor record(Activation input, LayerInputs inputs);

    /// Returns whether a compiled graph can pass the input quantized.
    default boolean takesQuantized() {
        return true;
    }

    /// Returns the part on this rank.
    AttentionShard shard();

    /// Linear attention as one operator, on input that is not quantized.
    static final class OpaqueDeltaAttention implements AttentionBlock {
        private final DeltaShard shard;
        private final boolean recurrent;
        private final PassRecorder pass;

        OpaqueDeltaAttention(DeltaShard shard, boolean recurrent, PassRecorder pass) {
            this.shard = shard;
            this.recurrent = recurrent;
            this.pass = pass;
        }

        @Override
        public Tensor record(Activation input, LayerInputs inputs) {
            Tensor hidden = input.values();
            long projected = shard.channels() + 2 * shard.valueWidth() + 2 * shard.valueHeads();
            return pass.add(new LinearAttention(
                    hidden,
                    Tensor.of(DataType.INT64, TOKENS.form()),
                    projected,
                    shard.channels(),
                    shard.kernel(),
                    shard.heads(),
                    shard.method(recurrent),
                    hidden.sameShape()));
        }

        @Override
        public boolean takesQuantized() {
            return false;
        }

        @Override
        public DeltaShard shard() {
            return shard;
        }
    }
}
