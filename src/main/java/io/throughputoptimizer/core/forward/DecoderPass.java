package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.operator.Embedding;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;

/// The frame of a decoder-only pass on one rank: embedding and rotary tables, the layers, final norm, row
/// selection and output head. What a layer does is up to its attention and feed-forward blocks.
final class DecoderPass {
    private final Deployment deployment;
    private final RankBatch batch;
    private final PassRecorder pass = new PassRecorder();
    private final LinearLayers linears;
    private final AttentionBlock attention;
    private final FeedForwardBlock feedForward;
    private final GraphStyle graph;

    DecoderPass(Deployment deployment, RankBatch batch) {
        this.deployment = deployment;
        this.batch = batch;
        this.linears = new LinearLayers(deployment.quantization(), pass);
        this.attention = attentionBlock();
        this.feedForward = feedForwardBlock();
        this.graph = graphStyle();
    }

    /// Writes the pass down. Layers after the first are equal: their rotary factors are inputs of their own, and
    /// all layers leave their result in one and the same tensor.
    ForwardPass record() {
        ModelArchitecture model = deployment.model();
        Tensor hidden = embed();
        Rotary rotary = gatherRotary();
        pass.endSegment(1);
        Tensor output = Tensor.half(1, batch.tokens(), model.hiddenSize());
        graph.layer(hidden, rotary, output);
        pass.endSegment(1);
        if (model.layers() > 1) {
            graph.layer(output, Rotary.of(batch.tokens(), rotaryWidth()), output);
            pass.endSegment(model.layers() - 1);
        }
        head(output);
        pass.endSegment(1);
        return pass.finish();
    }

    private Tensor embed() {
        ModelArchitecture model = deployment.model();
        Tensor table = Tensor.half(model.vocabularySize(), model.hiddenSize());
        Tensor ids = Tensor.of(DataType.INT64, 1, batch.tokens());
        return pass.add(new Embedding(table, ids, Tensor.half(1, batch.tokens(), model.hiddenSize())));
    }

    private Rotary gatherRotary() {
        Tensor positions = Tensor.of(DataType.INT64, batch.tokens());
        return new Rotary(gatherFactors(positions), gatherFactors(positions));
    }

    private Tensor gatherFactors(Tensor positions) {
        Tensor table = Tensor.half(deployment.model().maxPositions(), rotaryWidth());
        return pass.unflatten(graph.gather(table, positions, Tensor.half(batch.tokens(), rotaryWidth())));
    }

    private void head(Tensor hidden) {
        ModelArchitecture model = deployment.model();
        Tensor rows = graph.norm(hidden);
        if (batch.selectedRows().isPresent()) {
            long count = batch.selectedRows().getAsLong();
            rows = graph.gather(rows, Tensor.of(DataType.INT64, count), Tensor.half(1, count, model.hiddenSize()));
        }
        Tensor logits = graph.outputHead(rows, Tensor.half(model.hiddenSize(), shardedVocabulary()));
        int tp = deployment.layout().tp();
        if (tp > 1) {
            Tensor gathered = pass.allGather(logits, ProcessGroup.contiguous(tp));
            pass.view(gathered, 1, gathered.size(1), model.vocabularySize());
        }
    }

    /// Weights of this rank: embedding, output head, final norm, both rotary tables, and the layers with their
    /// two norms and scalar scales.
    double weightBytes() {
        ModelArchitecture model = deployment.model();
        double hiddenSize = model.hiddenSize();
        double norm = DataType.FLOAT16.bytes(hiddenSize);
        double layer = attention.weightBytes()
                + feedForward.weightBytes()
                + 2 * norm
                + LayerScales.of(deployment.quantization().linear()).bytes();
        return DataType.FLOAT16.bytes(hiddenSize * model.vocabularySize())
                + DataType.FLOAT16.bytes(hiddenSize * shardedVocabulary())
                + norm
                + 2 * DataType.FLOAT16.bytes((double) model.maxPositions() * rotaryWidth())
                + model.layers() * layer;
    }

    /// KV cache of one token in all layers.
    double cacheBytesPerToken() {
        return deployment.model().layers() * attention.cacheBytesPerToken();
    }

    private long shardedVocabulary() {
        return Math.ceilDiv(
                deployment.model().vocabularySize(), deployment.layout().tp());
    }

    private long rotaryWidth() {
        return switch (deployment.model().attention()) {
            case AttentionSpec.GroupedQuery attention -> attention.headSize();
        };
    }

    private AttentionBlock attentionBlock() {
        return switch (deployment.model().attention()) {
            case AttentionSpec.GroupedQuery spec -> {
                GroupedQueryShard shard = new GroupedQueryShard(deployment, spec, linears);
                yield isCompiled()
                        ? new CompiledGroupedQueryAttention(shard, linears, batch, pass)
                        : new EagerGroupedQueryAttention(shard, linears, batch, pass);
            }
        };
    }

    private FeedForwardBlock feedForwardBlock() {
        return switch (deployment.model().feedForward()) {
            case FeedForwardSpec.Dense spec -> {
                DenseShard shard = new DenseShard(deployment, spec, linears);
                yield isCompiled()
                        ? new CompiledDenseFeedForward(shard, linears, pass)
                        : new EagerDenseFeedForward(shard, new EagerLinear(linears, pass), pass);
            }
        };
    }

    private GraphStyle graphStyle() {
        var linear = deployment.quantization().linear();
        if (!isCompiled()) {
            return new EagerGraph(attention, feedForward, linear, pass);
        }
        boolean fuses = linears.fusesWithNorm(deployment.model().rmsNormEpsilon());
        return new CompiledGraph(attention, feedForward, linears, pass, new CompiledGraph.Fusion(linear, fuses));
    }

    private boolean isCompiled() {
        return deployment.execution().compiled();
    }
}
