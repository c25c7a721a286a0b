package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.operator.Embedding;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The frame of a decoder-only pass on one rank: embedding and rotary tables, the layers, final norm, row
/// selection and output head, then draft tokens if the deployment has them. What a layer does is up to its
/// attention and feed-forward blocks.
final class DecoderPass {
    private final Deployment deployment;
    private final RankBatch batch;
    private final PassRecorder pass = new PassRecorder();
    private final List<DecoderBlocks.Stack> stacks;
    private final GraphStyle graph;
    private final OutputHead head;
    private final DraftLayers drafts;
    private final @Nullable VisionTower tower;

    DecoderPass(Deployment deployment, RankBatch batch) {
        this.deployment = deployment;
        this.batch = batch;
        DecoderBlocks blocks = new DecoderBlocks(deployment, batch, pass);
        this.stacks = blocks.stacks();
        this.graph = blocks.graph();
        this.head = new OutputHead(deployment, graph, pass);
        this.drafts = new DraftLayers(deployment, batch, blocks, head, pass);
        this.tower = tower();
    }

    /// Writes the pass down. Equal layers are written down once and then once more for all that follow: those take
    /// rotary factors and scales of their own, while the first layers of each kind share them. All layers leave
    /// their result in one and the same tensor.
    ForwardPass record() {
        Tensor ids = Tensor.of(DataType.INT64, 1, batch.tokens());
        Tensor hidden = seeImages(ids, embed(ids));
        Rotary rotary = gatherRotary();
        LayerScales scales = LayerScales.of(linearQuantization());
        Tensor output = hidden.sameShape();
        for (DecoderBlocks.Stack stack : stacks) {
            graph.layer(stack.blocks(), hidden, rotary, scales, output);
            repeat(stack, output);
            hidden = output;
        }
        Tensor normed = graph.norm(output);
        Tensor logits = head.logits(normed, batch.selection());
        if (batch.draftTokens() > 0) {
            drafts.record(graph, new DraftLayers.Start(ids, normed, logits, scales));
        }
        return pass.finish();
    }

    private void repeat(DecoderBlocks.Stack stack, Tensor output) {
        if (stack.layers() > 1) {
            pass.repeat(stack.layers() - 1, () -> {
                Rotary own = Rotary.of(batch.tokens(), rotaryWidth());
                graph.layer(stack.blocks(), output, own, LayerScales.of(linearQuantization()), output);
                return output;
            });
        }
    }

    private Tensor embed(Tensor ids) {
        ModelArchitecture model = deployment.model();
        Tensor table = Tensor.half(model.vocabularySize(), model.hiddenSize());
        return pass.add(new Embedding(table, ids, Tensor.half(1, batch.tokens(), model.hiddenSize())));
    }

    private @Nullable VisionTower tower() {
        ModelArchitecture model = deployment.model();
        return batch.images() == null || model.vision() == null
                ? null
                : new VisionTower(model.vision(), model.hiddenSize(), batch.images(), pass);
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

    private Rotary gatherRotary() {
        Tensor positions = Tensor.of(DataType.INT64, batch.tokens());
        return new Rotary(gatherFactors(positions), gatherFactors(positions));
    }

    private Tensor gatherFactors(Tensor positions) {
        Tensor table = Tensor.half(deployment.model().maxPositions(), rotaryWidth());
        return pass.unflatten(graph.gather(table, positions, Tensor.half(batch.tokens(), rotaryWidth())));
    }

    /// Weights of this rank: embedding, output head, final norm, both rotary tables, the layers with their two
    /// norms, the draft layers, the vision tower if images pass through it, and scalar scales: one set for the
    /// first layers of each kind together, one for every other layer.
    double weightBytes() {
        ModelArchitecture model = deployment.model();
        double norm = DataType.FLOAT16.bytes(model.hiddenSize());
        double layers = 0;
        double scaleSets = 1;
        for (DecoderBlocks.Stack stack : stacks) {
            layers += stack.layers() * (stack.blocks().weightBytes() + 2 * norm);
            scaleSets += stack.layers() - 1;
        }
        int draftTokens = batch.draftTokens();
        if (draftTokens > 0) {
            layers += drafts.weightBytes();
            scaleSets += draftTokens - 1;
        }
        return DataType.FLOAT16.bytes((double) model.vocabularySize() * model.hiddenSize())
                + head.weightBytes()
                + norm
                + 2 * DataType.FLOAT16.bytes((double) model.maxPositions() * rotaryWidth())
                + layers
                + (tower == null ? 0 : tower.weightBytes())
                + scaleSets * LayerScales.of(linearQuantization()).bytes();
    }

    /// KV cache of one token in all layers, draft layers included.
    double cacheBytesPerToken() {
        int layers = deployment.model().layers() + batch.draftTokens();
        return layers * stacks.getFirst().blocks().attention().cacheBytesPerToken();
    }

    private LinearQuantization linearQuantization() {
        return deployment.quantization().linear();
    }

    private long rotaryWidth() {
        return deployment.model().attention().rotaryWidth();
    }
}
