package io.throughputoptimizer.core.forward.decoder;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.forward.attention.UncachedAttention;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.ForwardPass;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.forward.vision.VisionTower;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.UnusedVisionTower;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The frame of a decoder-only pass on one rank: embedding and rotary tables, the layers, final norm, row
/// selection and output head, then draft tokens if the deployment has them. What a layer does is up to its
/// attention and feed-forward blocks.
public final class DecoderPass {
    private final Deployment deployment;
    private final PassKind kind;
    private final PassRecorder pass;
    private final DecoderBlocks blocks;
    private final List<DecoderBlocks.Stack> stacks;
    private final GraphStyle graph;
    private final RotaryFactors rotary;
    private final LinearLayers linears;
    private final OutputHead head;
    private final DraftLayers drafts;
    private final @Nullable VisionTower tower;

    /// @param inOrder whether each layer is written down by itself, in its place, as memory needs it where layers
    ///     share what one of them worked out; else equal ones are written down once
    public DecoderPass(Deployment deployment, PassKind kind, boolean inOrder) {
        this.deployment = deployment;
        this.kind = kind;
        this.pass = new PassRecorder(fusesReductions(deployment));
        this.blocks = new DecoderBlocks(deployment, kind, inOrder, pass);
        this.stacks = blocks.stacks();
        this.linears = blocks.linears();
        this.graph = blocks.graph();
        this.rotary = new RotaryFactors(deployment, graph, pass);
        this.head = OutputHead.of(deployment, graph, pass);
        this.drafts = new DraftLayers(deployment, kind, blocks, OutputHead.of(deployment, graph, pass), pass);
        this.tower = tower();
    }

    /// Inputs that layers of different kinds share in the eyes of the memory ledger.
    ///
    /// @param first inputs of the first layer of each kind
    /// @param repeated inputs of its n-th repetition, one set for each n
    record SharedInputs(LayerInputs first, LayerInputs repeated) {}

    /// Writes the pass down. Equal layers are written down once, and then once more for all that follow, on inputs of
    /// their own.
    public ForwardPass record() {
        Tensor positions = Tensor.of(DataType.INT64, TOKENS.form());
        Tensor ids = Tensor.of(DataType.INT64, 1, TOKENS.form());
        Tensor hidden = graph.enter(seeImages(ids, embed(ids)));
        SharedInputs inputs = masked(new SharedInputs(
                LayerInputs.of(rotary.record(positions), deployment.quantization()),
                LayerInputs.of(Rotary.of(deployment), deployment.quantization())));
        RowPicker rows = new RowPicker(kind, deployment.execution().compiled(), graph, pass);
        Tensor normed = graph.lastNorm(graph.leave(layers(hidden, inputs)));
        Tensor logits = head.logits(rows.verified(normed));
        if (kind.draftTokens() > 0) {
            drafts.record(graph, rows, new DraftLayers.Start(ids, positions, normed, logits), inputs);
        }
        stacks.forEach(
                stack -> stack.layer().attention().shard().weightsSeenAgain().forEach(pass::lookAt));
        return pass.finish();
    }

    /// Layers that repeat leave their result in one and the same tensor; the result of a single layer is its own.
    private Tensor layers(Tensor embedded, SharedInputs inputs) {
        Tensor common = embedded.sameShape();
        Tensor hidden = embedded;
        for (DecoderBlocks.Stack stack : stacks) {
            Tensor output = stack.layers() > 1 ? common : embedded.sameShape();
            AttentionSpec attention = stack.attention();
            LayerInputs first = rotary.with(inputs.first(), attention, false);
            graph.layer(stack.layer(), hidden, stack.repeatsExperts() ? ownScales(first) : first, output);
            if (stack.layers() > 1) {
                LayerInputs repeated = rotary.with(inputs.repeated(), attention, true);
                pass.repeat(
                        stack.layers() - 1, repeated.all(), () -> graph.layer(stack.layer(), output, repeated, output));
            }
            hidden = output;
        }
        return hidden;
    }

    private SharedInputs masked(SharedInputs inputs) {
        if (!deployment.execution().compiled() || !deployment.forgetsContext()) {
            return inputs;
        }
        Tensor mask = new UncachedAttention(pass).mask();
        return new SharedInputs(inputs.first().masked(mask), inputs.repeated().masked(mask.sameShape()));
    }

    private LayerInputs ownScales(LayerInputs inputs) {
        return inputs.withFeedForwardScales(LayerScales.of(deployment.quantization()));
    }

    private Tensor embed(Tensor ids) {
        ModelArchitecture model = deployment.model();
        Tensor table = Tensor.half(model.vocabularySize(), model.hiddenSize());
        return pass.add(DeviceOperators.embedding(table, ids, Tensor.half(1, TOKENS.form(), model.hiddenSize())));
    }

    private @Nullable VisionTower tower() {
        ModelArchitecture model = deployment.model();
        return kind.images() == null || model.vision() == null
                ? null
                : new VisionTower(model.vision(), model.hiddenSize(), kind.images(), pass);
    }

    /// The embeddings with image features in them. To the memory ledger they are an input, because it does not see
    /// how the features get there.
    private Tensor seeImages(Tensor ids, Tensor embedded) {
        if (tower == null) {
            return embedded;
        }
        tower.record(ids);
        return embedded.sameShape();
    }

    /// Returns whether the memory of this pass is proved equal to the reference, unless a batch of both phases has
    /// draft tokens.
    public boolean isMemoryProved() {
        return tower == null && new MemoryProof(deployment, kind, stacks).holds();
    }

    private static boolean fusesReductions(Deployment deployment) {
        return deployment.execution().compiled() && deployment.execution().fusesReductions();
    }

    /// Weights of this rank: embedding, output head, final norm, both rotary tables or their frequencies, the
    /// layers with their two norms, the draft layers, the vision tower if images pass through it or if it is held
    /// all the same, and scalar scales: one set for the first layers of each kind together, one for every other
    /// layer, but none for draft layers with several residual streams; and so for routed experts that are quantized
    /// otherwise.
    public double weightBytes() {
        ModelArchitecture model = deployment.model();
        double norm = DataType.FLOAT16.bytes(model.hiddenSize());
        double layerNorms = 2 * linears.normCopies(deployment.execution().accounting()) * norm;
        double layers = 0;
        for (DecoderBlocks.Stack stack : stacks) {
            layers += stack.layers() * (stack.layer().weightBytes() + layerNorms + graph.layerWeightBytes());
        }
        double scaleSets = blocks.scaleSets(false);
        double expertSets = blocks.scaleSets(true);
        int draftTokens = kind.draftTokens();
        if (draftTokens > 0) {
            layers += drafts.weightBytes() + draftTokens * (graph.layerWeightBytes() + graph.frameWeightBytes());
            int setsOfDrafts = model.connections() == null ? draftTokens - 1 : 0;
            scaleSets += setsOfDrafts;
            expertSets += setsOfDrafts;
        }
        LayerScales scales = LayerScales.of(deployment.quantization());
        LayerScales ofExperts = scales.ofExperts();
        return DataType.FLOAT16.bytes((double) model.vocabularySize() * model.hiddenSize())
                + head.weightBytes()
                + norm
                + graph.frameWeightBytes()
                + rotary.bytes()
                + layers
                + (tower == null ? 0 : tower.weightBytes())
                + idleBytes()
                + scaleSets * scales.bytes()
                + (ofExperts == null ? 0 : expertSets * ofExperts.bytes());
    }

    /// Returns the bytes of weights that the reference holds without using them.
    private double idleBytes() {
        UnusedVisionTower idle = deployment.model().idleTower();
        boolean held = deployment.execution().accounting() == PassAccounting.DOCUMENTED;
        return idle == null || !held
                ? 0
                : new IdleTowerWeights(idle, deployment.model().hiddenSize(), linears).bytes();
    }

    /// KV cache of the requests in all layers, draft layers included, in bytes.
    public Form cacheBytes() {
        Form layers = Form.ZERO;
        for (DecoderBlocks.Stack stack : stacks) {
            layers = layers.plus(stack.layer().attention().shard().cacheBytes().times(stack.layers()));
        }
        return layers.plus(drafts.cacheBytes().times(kind.draftTokens()));
    }

    /// States of one request in all layers, draft layers included, where they are counted.
    public double stateBytesPerRequest() {
        double layers = 0;
        for (DecoderBlocks.Stack stack : stacks) {
            layers += stack.layers() * stack.layer().attention().shard().stateBytesPerRequest();
        }
        return layers + kind.draftTokens() * drafts.stateBytesPerRequest();
    }

    /// Weights of a vision tower that no image passes through, whole on every rank. The reference quantizes the
    /// products of its blocks like those of the decoder, and nothing else of it.
    ///
    /// @param outputSize width of the decoder's tokens
    public record IdleTowerWeights(UnusedVisionTower tower, long outputSize, LinearLayers linears) {
        /// Frequencies of the rotation, in each half of a head: by time, row and column.
        private static final int AXES = 3;

        public double bytes() {
            return tower.depth() * block() + embedding() + projector();
        }

        /// Four projections of attention and two of the feed-forward part, with biases, and two norms with weight and
        /// bias.
        private double block() {
            long hidden = tower.hiddenSize();
            long inner = tower.intermediateSize();
            double products = 4 * linears.weight(hidden, hidden).bytes()
                    + linears.weight(hidden, inner).bytes()
                    + linears.weight(inner, hidden).bytes();
            double biases = 5.0 * hidden + inner;
            return products + DataType.FLOAT16.bytes(biases + 4 * hidden);
        }

        /// Patches, the norm after them, and the frequencies of the rotation, twice in float32.
        private double embedding() {
            double norm = 2.0 * tower.hiddenSize();
            int frequencies = 2 * Math.floorDiv(tower.headSize(), 2 * AXES);
            return DataType.FLOAT16.bytes((double) tower.patchWidth() * tower.hiddenSize() + norm)
                    + DataType.FLOAT32.bytes(frequencies);
        }

        /// Each patch becomes as wide as a token, and then all patches of a token one; two layers with biases each.
        private double projector() {
            double inner = tower.projectorSize();
            double patch = tower.hiddenSize() * inner + inner * outputSize;
            double merged = (double) tower.patchesPerToken() * outputSize * inner + inner * outputSize;
            return DataType.FLOAT16.bytes(patch + merged + 2 * inner + 2.0 * outputSize);
        }
    }
}
