package io.throughputoptimizer.core.forward.decoder;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// A graph whose layers have norms before and behind each part. Nothing fuses with any of them, and residuals are
/// added by themselves, compiled or not.
final class SandwichGraph implements GraphStyle {
    private final SandwichNorms norms;
    private final int hiddenSize;
    private final GraphStyle graph;
    private final boolean compiled;
    private final LinearLayers linears;
    private final EagerLayers eager;
    private final PassRecorder pass;

    /// @param graph how all that does not concern layers is written down
    SandwichGraph(
            SandwichNorms norms,
            int hiddenSize,
            GraphStyle graph,
            boolean compiled,
            LinearLayers linears,
            PassRecorder pass) {
        this.norms = norms;
        this.hiddenSize = hiddenSize;
        this.graph = graph;
        this.compiled = compiled;
        this.linears = linears;
        this.eager = new EagerLayers(linears, pass);
        this.pass = pass;
    }

    @Override
    public Tensor enter(Tensor hidden) {
        return pass.elementwise(Kind.MULTIPLY, hidden.sameShape(), hidden, Tensor.of(DataType.FLOAT16));
    }

    @Override
    public void layer(DecoderBlocks.Layer layer, Tensor hidden, LayerInputs inputs, Tensor output) {
        LayerScales scales = inputs.scales();
        Activation input = normed(hidden, layer.attention().takesQuantized(), scales);
        Tensor attended = norm(layer.attention().record(input, inputs));
        Tensor between = pass.elementwise(Kind.ADD, hidden.sameShape(), hidden, attended);
        Activation again = normed(between, layer.feedForward().takesQuantized(), scales);
        Tensor fedForward = norm(layer.feedForward().record(again, scales));
        pass.elementwise(Kind.ADD, output, between, fedForward);
    }

    private Activation normed(Tensor hidden, boolean quantizes, LayerScales scales) {
        Tensor values = norm(hidden);
        return compiled && quantizes ? linears.quantize(values, scales) : new Activation(values, null);
    }

    private Tensor norm(Tensor input) {
        return compiled ? linears.norm(input) : eager.norm(input);
    }

    @Override
    public Tensor lastNorm(Tensor input) {
        return graph.lastNorm(input);
    }

    @Override
    public Tensor gather(Tensor source, Tensor indices, Tensor result) {
        return graph.gather(source, indices, result);
    }

    @Override
    public Tensor outputHead(Tensor rows, Tensor weight) {
        return graph.outputHead(rows, weight);
    }

    @Override
    public double layerWeightBytes() {
        return DataType.FLOAT16.bytes(norms.layerParameters(hiddenSize));
    }

    /// The number that embeddings are multiplied by.
    @Override
    public double frameWeightBytes() {
        return DataType.FLOAT16.bytes(1);
    }
}
