package io.throughputoptimizer.core.forward.decoder;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.attention.AttentionBlock;
import io.throughputoptimizer.core.forward.attention.LatestSelection;
import io.throughputoptimizer.core.forward.attention.Place;
import io.throughputoptimizer.core.forward.feedforward.FeedForwardBlock;
import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.BlockResiduals;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.HyperConnections;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise;
import io.throughputoptimizer.core.operator.MatMul;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The parts that a model's layers are made of, chosen by its kinds of attention and feed-forward part and by
/// whether the graph is compiled.
final class DecoderBlocks {
    private final Deployment deployment;
    private final PassKind kind;
    private final PassRecorder pass;
    private final LinearLayers linears;
    private final LatestSelection latest = new LatestSelection();
    private final List<Stack> stacks;

    /// @param inOrder whether each layer is recorded separately, in its place; else equal layers once
    DecoderBlocks(Deployment deployment, PassKind kind, boolean inOrder, PassRecorder pass) {
        this.deployment = deployment;
        this.kind = kind;
        this.pass = pass;
        this.linears =
                new LinearLayers(deployment.quantization(), deployment.model().norms(), pass);
        this.stacks = inOrder ? buildInOrder() : build();
    }

    /// The two parts that make up a layer.
    record Layer(AttentionBlock attention, FeedForwardBlock feedForward) {
        /// Bytes of one layer's weights, norms and scalar scales aside.
        double weightBytes() {
            return attention.shard().weightBytes() + feedForward.weightBytes();
        }
    }

    /// Equal layers.
    ///
    /// @param attention their kind
    /// @param routesTokens whether they have routed experts
    /// @param repeatsExperts whether their feed-forward part repeats that of layers before, and attention does not
    record Stack(Layer layer, AttentionSpec attention, int layers, boolean routesTokens, boolean repeatsExperts) {}

    LinearLayers linears() {
        return linears;
    }

    /// All layers by kind, in the order of their first.
    List<Stack> stacks() {
        return stacks;
    }

    /// A draft layer.
    ///
    /// @param again whether there is one before
    Layer drafts(boolean again) {
        DraftLayers drafts = requireNonNull(deployment.model().drafts());
        boolean known = again || deployment.model().attentions().contains(drafts.attention());
        Place later = known ? Place.LATER : Place.FIRST_OF_KIND;
        Place place = isLeading(drafts) ? Place.FIRST : later;
        return new Layer(
                AttentionBlock.ofDrafts(deployment, drafts.attention(), kind.traits(), place, latest, linears, pass),
                feedForward(drafts.feedForward()));
    }

    /// Equal layers are written down once, wherever they stand.
    private List<Stack> build() {
        Map<LayerGroup, Integer> kinds = new LinkedHashMap<>();
        for (LayerGroup group : deployment.model().groups()) {
            kinds.merge(new LayerGroup(1, group.attention(), group.feedForward()), group.count(), Integer::sum);
        }
        Set<AttentionSpec> met = new HashSet<>();
        List<Stack> built = new ArrayList<>();
        kinds.forEach((kindOfLayer, count) -> {
            boolean first = built.isEmpty();
            Place later = met.add(kindOfLayer.attention()) ? Place.FIRST_OF_KIND : Place.LATER;
            int apart = first && isChained() && count > 1 ? 1 : 0;
            if (apart > 0) {
                built.add(stack(kindOfLayer, apart, Place.FIRST, false));
            }
            built.add(stack(kindOfLayer, count - apart, first && apart == 0 ? Place.FIRST : later, false));
        });
        return List.copyOf(built);
    }

    private List<Stack> buildInOrder() {
        List<Stack> built = new ArrayList<>();
        for (LayerGroup group : deployment.model().groups()) {
            for (int layer = 0; layer < group.count(); layer++) {
                boolean repeats = built.stream().anyMatch(Stack::routesTokens)
                        && group.feedForward() instanceof FeedForwardSpec.RoutedExperts;
                built.add(stack(group, 1, built.isEmpty() ? Place.FIRST : Place.LATER, repeats));
            }
        }
        return List.copyOf(built);
    }

    private Stack stack(LayerGroup kindOfLayer, int layers, Place place, boolean repeatsExperts) {
        return new Stack(
                new Layer(attention(kindOfLayer.attention(), place), feedForward(kindOfLayer.feedForward())),
                kindOfLayer.attention(),
                layers,
                kindOfLayer.feedForward() instanceof FeedForwardSpec.RoutedExperts,
                repeatsExperts);
    }

    private AttentionBlock attention(AttentionSpec spec, Place place) {
        return AttentionBlock.of(deployment, spec, kind.traits(), place, latest, linears, pass);
    }

    /// Returns whether the draft layers equal the first layers.
    private boolean isLeading(DraftLayers drafts) {
        LayerGroup first = deployment.model().groups().getFirst();
        return drafts.attention().equals(first.attention())
                && drafts.feedForward().equals(first.feedForward());
    }

    private FeedForwardBlock feedForward(FeedForwardSpec feedForward) {
        return switch (feedForward) {
            case FeedForwardSpec.Absent _ ->
                throw new IllegalStateException("a layer without feed-forward part has no price");
            case FeedForwardSpec.Dense dense -> FeedForwardBlock.dense(deployment, dense, linears, pass);
            case FeedForwardSpec.RoutedExperts routed ->
                FeedForwardBlock.routed(deployment, routed, requireNonNull(kind.experts()), linears, pass);
        };
    }

    GraphStyle graph() {
        boolean compiled = deployment.execution().compiled();
        GraphStyle graph = compiled ? compiledGraph() : new EagerGraph(linears, pass);
        int hiddenSize = deployment.model().hiddenSize();
        return switch (deployment.model().connections()) {
            case HyperConnections connections ->
                new ConnectedGraph(connections, hiddenSize, graph, compiled, linears, pass);
            case SandwichNorms norms -> new SandwichGraph(norms, hiddenSize, graph, compiled, linears, pass);
            case BlockResiduals _ -> throw new IllegalStateException("attention to residuals has no price");
            case null -> graph;
        };
    }

    private GraphStyle compiledGraph() {
        CompiledGraph graph = new CompiledGraph(
                linears, pass, linears.fusesWithNorm(deployment.model().rmsNormEpsilon()));
        return isChained() ? new ChainedGraph(graph, linears, pass) : graph;
    }

    /// Returns whether layers are traced one by one.
    private boolean isChained() {
        return deployment.execution().compiled() && deployment.model().sharesSelections();
    }

    /// Sets of layers that share scalar scales: those of one kind, or, where layers are traced one by one, those
    /// whose feed-forward parts are equal.
    int scaleSets(boolean routed) {
        List<Stack> counted =
                stacks.stream().filter(stack -> !routed || stack.routesTokens()).toList();
        int layers = counted.stream().mapToInt(Stack::layers).sum();
        long kinds = deployment.model().sharesSelections()
                ? counted.stream().map(Stack::routesTokens).distinct().count()
                : counted.size();
        return 1 + layers - (int) kinds;
    }

    /// An eager graph: every operator runs separately.
    static final class EagerGraph implements GraphStyle {
        private final EagerLayers layers;
        private final PassRecorder pass;

        EagerGraph(LinearLayers linears, PassRecorder pass) {
            this.layers = new EagerLayers(linears, pass);
            this.pass = pass;
        }

        @Override
        public void layer(DecoderBlocks.Layer layer, Tensor hidden, LayerInputs inputs, Tensor output) {
            Tensor attended = layer.attention().record(new Activation(layers.norm(hidden), null), inputs);
            EagerLayers.Normed normed = layers.addAndNorm(hidden, attended);
            Tensor fedForward =
                    layer.feedForward().record(new Activation(normed.values(), null), inputs.scalesOfFeedForward());
            pass.elementwise(Elementwise.Kind.ADD, output, normed.sum(), fedForward);
        }

        @Override
        public Tensor lastNorm(Tensor input) {
            return layers.lastNorm(input);
        }

        @Override
        public Tensor gather(Tensor source, Tensor indices, Tensor result) {
            return pass.add(DeviceOperators.indexSelect(source, indices, result));
        }

        @Override
        public Tensor outputHead(Tensor rows, Tensor weight) {
            Tensor flat = pass.flatten(rows);
            Tensor product = pass.add(new MatMul(flat, weight, null, Tensor.half(flat.size(0), weight.last())));
            return pass.unsafeView(product, Tensor.of(product.type(), 1, product.size(0), product.last()));
        }
    }
}
