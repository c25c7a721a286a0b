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
import java.util.List;
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
                ? new ParallelDenseExperts(alone, dense(split, compiled, linears, pass), norms, pass)
                : new ShardedSharedExpert(alone, new CompiledDenseFeedForward(split, linears, pass), linears, pass);
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
            case SQUARED_RELU -> throw new IllegalStateException("networks without a gate have no price");
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

    /// The shared network in an eager graph.
    ///
    /// @param pass recorder of operators
    record EagerSharedExpert(ExpertShard shard, EagerLayers layers, PassRecorder pass) implements SharedExpert {
        @Override
        public Activation prepare(Tensor tokens, LayerScales scales) {
            return new Activation(tokens, null);
        }

        @Override
        public Tensor addTo(Tensor combined, Activation tokens, LayerScales scales) {
            DenseShard.Weights weights = shard.sharedWeights();
            Tensor inner =
                    new EagerGating(shard.sharedActivation(), layers, pass).inner(tokens.values(), weights, scales);
            Tensor shared = layers.linear(inner, weights.down(), scales);
            Tensor gated = shard.gatesShared()
                    ? SharedGate.apply(shared, layers.linear(tokens.values(), shard.sharedGate(), scales), pass)
                    : shared;
            return pass.elementwise(Kind.ADD, combined.sameShape(), combined, gated);
        }
    }

    /// Dense feed-forward part in an eager graph.
    static final class EagerDenseFeedForward implements FeedForwardBlock {
        private final DenseShard shard;
        private final EagerLayers layers;
        private final PassRecorder pass;

        EagerDenseFeedForward(DenseShard shard, EagerLayers layers, PassRecorder pass) {
            this.shard = shard;
            this.layers = layers;
            this.pass = pass;
        }

        @Override
        public Tensor record(Activation input, LayerScales scales) {
            DenseShard.Weights weights = shard.weights();
            Tensor gated = new EagerGating(shard.activation(), layers, pass).inner(input.values(), weights, scales);
            return layers.linearAndReduce(gated, weights.down(), scales, shard.tensorParallelGroup());
        }

        @Override
        public double weightBytes() {
            return shard.weights().bytes();
        }
    }

    /// Routed experts in a compiled graph beside a network that every token visits, of which each tensor
    /// parallel rank has
    /// a part: as in a dense layer, all tokens of the rank go through it, and partial sums are added over the
    /// group.
    ///
    /// @param routed the experts alone
    /// @param shared this rank's part of the network
    /// @param pass recorder of operators
    record ShardedSharedExpert(
            RoutedExperts routed, CompiledDenseFeedForward shared, LinearLayers linears, PassRecorder pass)
            implements FeedForwardBlock {
        @Override
        public Tensor record(Activation input, LayerScales scales) {
            Activation tokens = linears.quantize(input.values(), scales);
            Tensor combined = routed.record(input, scales);
            Tensor own = shared.record(tokens, scales);
            return pass.elementwise(Kind.ADD, combined.sameShape(), combined, own);
        }

        @Override
        public boolean takesQuantized() {
            return routed.takesQuantized();
        }

        /// One measured pass has 14,336 bytes less.
        @Override
        public boolean isMemoryProved() {
            return false;
        }

        @Override
        public double weightBytes() {
            return routed.weightBytes();
        }
    }

    /// Dense feed-forward part in a compiled graph: gate and up merged, the gated activation fused.
    static final class CompiledDenseFeedForward implements FeedForwardBlock {
        private final DenseShard shard;
        private final LinearLayers linears;
        private final PassRecorder pass;

        CompiledDenseFeedForward(DenseShard shard, LinearLayers linears, PassRecorder pass) {
            this.shard = shard;
            this.linears = linears;
            this.pass = pass;
        }

        @Override
        public Tensor record(Activation input, LayerScales scales) {
            DenseShard.Weights weights = shard.weights();
            Activation flat = input.with(pass.flatten(input.values()));
            Tensor merged = linears.apply(flat, weights.gateAndUp(), scales);
            List<Tensor> parts = pass.split(merged, shard.width(), shard.width());
            Tensor gate = pass.unflatten(parts.get(0));
            Tensor up = pass.unflatten(parts.get(1));
            Activation inner = linears.quantize(Gating.join(shard.activation(), gate, up, pass), scales);
            Activation rows = inner.with(pass.flatten(inner.values()));
            return linears.applyAndReduce(rows, weights.down(), scales, shard.tensorParallelGroup());
        }

        @Override
        public double weightBytes() {
            return shard.weights().bytes();
        }
    }

    /// Routed experts beside the dense part of a layer (Gemma 4):
    /// `norm(dense(norm(x))) + norm(experts(norm(x)))` of the
    /// residual stream `x`. Partial sums of the dense part are added over the tensor parallel group, before
    /// its norm.
    ///
    /// @param routed the experts, whose gate normalizes what they take
    /// @param pass recorder of operators
    record ParallelDenseExperts(RoutedExperts routed, FeedForwardBlock dense, LayerNorms norms, PassRecorder pass)
            implements FeedForwardBlock {
        /// @param input the residual stream
        @Override
        public Tensor record(Activation input, LayerScales scales) {
            Tensor normed = norms.norm(input.values());
            Activation tokens =
                    norms.areCompiled() ? norms.linears().quantize(normed, scales) : new Activation(normed, null);
            Tensor own = norms.norm(dense.record(tokens, scales));
            Tensor combined = norms.norm(routed.record(input, scales));
            return pass.elementwise(Kind.ADD, own.sameShape(), own, combined);
        }

        @Override
        public boolean normalizesItself() {
            return true;
        }

        /// Never measured.
        @Override
        public boolean isMemoryProved() {
            return false;
        }

        @Override
        public double weightBytes() {
            return routed.weightBytes();
        }
    }
}
