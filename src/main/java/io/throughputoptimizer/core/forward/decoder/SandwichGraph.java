package io.throughputoptimizer.core.forward.decoder;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerNorms;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// A graph whose layers have norms behind each part, and before them or not. Nothing fuses with any of them, and
/// residuals are added by themselves, compiled or not, but for plain norms before the second part.
final class SandwichGraph implements GraphStyle {
    private final SandwichNorms norms;
    private final int hiddenSize;
    private final GraphStyle graph;
    private final boolean compiled;
    private final LinearLayers linears;
    private final LayerNorms ofLayers;
    private final PassRecorder pass;

    /// @param graph style of everything except the layers
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
        this.ofLayers = new LayerNorms(linears, compiled, pass);
        this.pass = pass;
    }

    @Override
    public Tensor enter(Tensor hidden) {
        return norms.scalesEmbeddings()
                ? pass.elementwise(Kind.MULTIPLY, hidden.sameShape(), hidden, Tensor.of(DataType.FLOAT16))
                : hidden;
    }

    @Override
    public void layer(DecoderBlocks.Layer layer, Tensor hidden, LayerInputs inputs, Tensor output) {
        LayerScales scales = inputs.scales();
        Activation input = quantized(before(hidden), layer.attention().takesQuantized(), scales);
        Tensor attended = norm(layer.attention().record(input, inputs));
        Tensor between = hidden.sameShape();
        Activation again = layer.feedForward().normalizesItself()
                ? new Activation(pass.elementwise(Kind.ADD, between, hidden, attended), null)
                : quantized(
                        addAndNorm(hidden, attended, between),
                        layer.feedForward().takesQuantized(),
                        scales);
        leave(between, norm(layer.feedForward().record(again, scales)), output);
    }

    private void leave(Tensor between, Tensor fedForward, Tensor output) {
        if (norms.scalesLayers()) {
            Tensor sum = pass.elementwise(Kind.ADD, between.sameShape(), between, fedForward);
            pass.elementwise(Kind.MULTIPLY, output, sum, Tensor.half(1));
        } else {
            pass.elementwise(Kind.ADD, output, between, fedForward);
        }
    }

    private Tensor before(Tensor hidden) {
        return norms.before() ? norm(hidden) : hidden;
    }

    private Tensor addAndNorm(Tensor hidden, Tensor added, Tensor sum) {
        if (compiled && norms.before() && linears.norms() == NormStyle.PLAIN) {
            return pass.add(
                    DeviceOperators.addRmsNorm(hidden, added, Tensor.half(hidden.last()), hidden.sameShape(), sum));
        }
        return before(pass.elementwise(Kind.ADD, sum, hidden, added));
    }

    private Activation quantized(Tensor values, boolean quantizes, LayerScales scales) {
        return compiled && quantizes ? linears.quantize(values, scales) : new Activation(values, null);
    }

    private Tensor norm(Tensor input) {
        return ofLayers.norm(input);
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

    /// The number that embeddings are multiplied by, if there is one.
    @Override
    public double frameWeightBytes() {
        return norms.scalesEmbeddings() ? DataType.FLOAT16.bytes(1) : 0;
    }
}
