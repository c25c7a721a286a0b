package io.throughputoptimizer.core.forward.decoder;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.attention.AttentionBlock;
import io.throughputoptimizer.core.forward.feedforward.FeedForwardBlock;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import java.util.ArrayList;
import java.util.List;

/// The parts that a model's layers are made of, chosen by its kinds of attention and feed-forward part and by
/// whether the graph is compiled.
final class DecoderBlocks {
    private final Deployment deployment;
    private final PassKind kind;
    private final PassRecorder pass;
    private final LinearLayers linears;
    private final AttentionBlock attention;

    DecoderBlocks(Deployment deployment, PassKind kind, PassRecorder pass) {
        this.deployment = deployment;
        this.kind = kind;
        this.pass = pass;
        this.linears = new LinearLayers(deployment.quantization(), pass);
        this.attention = AttentionBlock.of(deployment, linears, pass);
    }

    /// The two parts that make up a layer.
    record Layer(AttentionBlock attention, FeedForwardBlock feedForward) {
        /// Bytes of one layer's weights, norms and scalar scales aside.
        double weightBytes() {
            return attention.weightBytes() + feedForward.weightBytes();
        }
    }

    /// Equal layers in a row.
    record Stack(Layer layer, int layers) {}

    LinearLayers linears() {
        return linears;
    }

    /// All layers in order: one stack, or two when dense layers precede those with experts.
    List<Stack> stacks() {
        int layers = deployment.model().layers();
        return switch (deployment.model().feedForward()) {
            case FeedForwardSpec.Dense dense -> List.of(dense(dense, layers));
            case FeedForwardSpec.RoutedExperts routed -> {
                int leading = routed.denseLayers(layers);
                List<Stack> stacks = new ArrayList<>();
                if (routed.leadingDense() != null && leading > 0) {
                    int width = routed.leadingDense().intermediateSize();
                    stacks.add(dense(new FeedForwardSpec.Dense(width), leading));
                }
                if (layers > leading) {
                    stacks.add(routed(routed, layers - leading));
                }
                yield List.copyOf(stacks);
            }
        };
    }

    private Stack dense(FeedForwardSpec.Dense spec, int layers) {
        return stack(FeedForwardBlock.dense(deployment, spec, linears, pass), layers);
    }

    private Stack routed(FeedForwardSpec.RoutedExperts spec, int layers) {
        return stack(FeedForwardBlock.routed(deployment, spec, requireNonNull(kind.experts()), linears, pass), layers);
    }

    private Stack stack(FeedForwardBlock feedForward, int layers) {
        return new Stack(new Layer(attention, feedForward), layers);
    }

    GraphStyle graph() {
        return deployment.execution().compiled()
                ? new CompiledGraph(
                        linears, pass, linears.fusesWithNorm(deployment.model().rmsNormEpsilon()))
                : new EagerGraph(linears, pass);
    }
}
