package io.throughputoptimizer.core.forward.decoder;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.attention.AttentionBlock;
import io.throughputoptimizer.core.forward.feedforward.FeedForwardBlock;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The parts that a model's layers are made of, chosen by its kinds of attention and feed-forward part and by
/// whether the graph is compiled.
final class DecoderBlocks {
    private final Deployment deployment;
    private final PassKind kind;
    private final PassRecorder pass;
    private final LinearLayers linears;
    private final List<Stack> stacks;

    DecoderBlocks(Deployment deployment, PassKind kind, PassRecorder pass) {
        this.deployment = deployment;
        this.kind = kind;
        this.pass = pass;
        this.linears = new LinearLayers(deployment.quantization(), pass);
        this.stacks = build();
    }

    /// The two parts that make up a layer.
    record Layer(AttentionBlock attention, FeedForwardBlock feedForward) {
        /// Bytes of one layer's weights, norms and scalar scales aside.
        double weightBytes() {
            return attention.shard().weightBytes() + feedForward.weightBytes();
        }
    }

    /// Equal layers in a row.
    record Stack(Layer layer, int layers) {}

    LinearLayers linears() {
        return linears;
    }

    /// All layers in order.
    List<Stack> stacks() {
        return stacks;
    }

    /// A draft layer: as the last one, but for how it is split over ranks.
    Layer drafts() {
        Layer last = stacks.getLast().layer();
        AttentionSpec attention = deployment.model().groups().getLast().attention();
        return new Layer(
                AttentionBlock.ofDrafts(deployment, attention, kind.oneToken(), linears, pass), last.feedForward());
    }

    /// Layers with the same kind of attention share its block.
    private List<Stack> build() {
        Map<AttentionSpec, AttentionBlock> attentions = new HashMap<>();
        return deployment.model().groups().stream()
                .map(group -> new Stack(
                        new Layer(
                                attentions.computeIfAbsent(group.attention(), this::attention),
                                feedForward(group.feedForward())),
                        group.count()))
                .toList();
    }

    private AttentionBlock attention(AttentionSpec spec) {
        return AttentionBlock.of(deployment, spec, kind.oneToken(), linears, pass);
    }

    private FeedForwardBlock feedForward(FeedForwardSpec feedForward) {
        return switch (feedForward) {
            case FeedForwardSpec.Dense dense -> FeedForwardBlock.dense(deployment, dense, linears, pass);
            case FeedForwardSpec.RoutedExperts routed ->
                FeedForwardBlock.routed(deployment, routed, requireNonNull(kind.experts()), linears, pass);
        };
    }

    GraphStyle graph() {
        return deployment.execution().compiled()
                ? new CompiledGraph(
                        linears, pass, linears.fusesWithNorm(deployment.model().rmsNormEpsilon()))
                : new EagerGraph(linears, pass);
    }
}
