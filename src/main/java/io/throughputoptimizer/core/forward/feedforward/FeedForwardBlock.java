package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerNorms;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// The feed-forward part of a layer on one rank. Every [#record] stands for another layer, on weights of its
/// own.
public interface FeedForwardBlock {
    /// A dense part.
    static FeedForwardBlock dense(
            Deployment deployment, FeedForwardSpec.Dense spec, LinearLayers linears, PassRecorder pass) {
        return dense(
                new DenseShard(deployment, spec, linears),
                deployment.execution().compiled(),
                linears,
                pass);
    }

    private static FeedForwardBlock dense(DenseShard shard, boolean compiled, LinearLayers linears, PassRecorder pass) {
        return compiled
                ? new CompiledDenseFeedForward(shard, linears, pass)
                : new EagerDenseFeedForward(shard, new EagerLayers(linears, pass), pass);
    }

    /// Routed experts.
    ///
    /// @param kind kind of the passes to record
    static FeedForwardBlock routed(
            Deployment deployment,
            FeedForwardSpec.RoutedExperts spec,
            ExpertKind kind,
            LinearLayers linears,
            PassRecorder pass) {
        boolean compiled = deployment.execution().compiled();
        ExpertShard shard = new ExpertShard(deployment, spec, linears, kind);
        LayerNorms norms = new LayerNorms(linears, compiled, pass);
        ExpertGate gate = ExpertGate.of(spec.routing().router(), norms, new GateOperators(shard, pass));
        ExpertNetworks experts = compiled
                ? new CompiledExperts(shard, linears.ofExperts(), pass)
                : new EagerExperts(shard, new EagerLayers(linears.ofExperts(), pass), pass);
        RoutedExperts alone = new RoutedExperts(
                shard,
                gate,
                experts,
                shared(deployment, shard, linears, pass),
                compiled ? Kind.CONVERT : Kind.CAST,
                pass);
        DenseShard split = shard.splitShared();
        if (split == null) {
            return alone;
        }
        return spec.besideDense()
                ? new BesideDense(alone, dense(split, compiled, linears, pass), norms, pass)
                : new BesideSplitExpert(alone, new CompiledDenseFeedForward(split, linears, pass), linears, pass);
    }

    private static @Nullable SharedExpert shared(
            Deployment deployment, ExpertShard shard, LinearLayers linears, PassRecorder pass) {
        if (!shard.hasSharedExpert() || shard.splitShared() != null) {
            return null;
        }
        boolean compiled = deployment.execution().compiled();
        return switch (shard.sharedActivation()) {
            case SILU, GELU, CLAMPED_SILU ->
                compiled
                        ? new CompiledSharedExpert(shard, linears, pass)
                        : new EagerSharedExpert(shard, new EagerLayers(linears, pass), pass);
            case CLAMPED -> {
                DataType result = switch (deployment.execution().accounting()) {
                    case DOCUMENTED -> DataType.INT8;
                    case STEADY -> DataType.FLOAT16;
                };
                yield new ClampedSharedExpert(shard, linears, compiled, result, pass);
            }
        };
    }

    /// Writes down one layer's feed-forward part.
    ///
    /// @param input normalized residual stream, quantized or not as the layer hands it over
    /// @return addition to the residual stream
    Tensor record(Activation input, LayerScales scales);

    /// Returns whether a compiled graph can pass the input quantized.
    default boolean takesQuantized() {
        return true;
    }

    /// Returns whether the input is the residual stream, which this block normalizes.
    default boolean normalizesItself() {
        return false;
    }

    /// Returns whether the memory of this block is proved equal to the reference.
    default boolean isMemoryProved() {
        return true;
    }

    /// Bytes of one layer's weights.
    double weightBytes();
}
