package io.throughputoptimizer.core.forward.decoder;

import io.throughputoptimizer.core.forward.feedforward.FeedForwardBlock;
import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise;
import io.throughputoptimizer.core.operator.MatMul;
import io.throughputoptimizer.core.operator.NormQuantize;
import io.throughputoptimizer.core.operator.Tensor;

/// A compiled graph: norms fuse with the residual's addition and, where the epsilon allows, with quantization.
final class CompiledGraph implements GraphStyle {
    private final LinearLayers linears;
    private final PassRecorder pass;
    private final boolean fusesQuantization;

    /// @param fusesQuantization whether norms fuse with quantization
    CompiledGraph(LinearLayers linears, PassRecorder pass, boolean fusesQuantization) {
        this.linears = linears;
        this.pass = pass;
        this.fusesQuantization = fusesQuantization;
    }

    /// Input of the feed-forward part, and the residual stream.
    private record Normed(Activation input, Tensor residual) {}

    @Override
    public void layer(DecoderBlocks.Layer layer, Tensor hidden, LayerInputs inputs, Tensor output) {
        Activation input = inputNorm(hidden, layer.attention().takesQuantized(), inputs.scales());
        Halves halves = halves(layer, hidden, input, inputs);
        pass.elementwise(Elementwise.Kind.ADD, output, halves.residual(), halves.added());
    }

    /// The residual stream after attention, and what the feed-forward part adds to it.
    record Halves(Tensor residual, Tensor added) {}

    /// A layer without the norm before it and the addition after it.
    ///
    /// @param input input of attention
    Halves halves(DecoderBlocks.Layer layer, Tensor hidden, Activation input, LayerInputs inputs) {
        LayerScales scales = inputs.scalesOfFeedForward();
        FeedForwardBlock feedForward = layer.feedForward();
        Tensor attended = layer.attention().record(input, inputs);
        Normed normed = addAndNorm(hidden, attended, feedForward.takesQuantized(), scales);
        return new Halves(normed.residual(), feedForward.record(normed.input(), scales));
    }

    private Activation inputNorm(Tensor hidden, boolean quantizes, LayerScales scales) {
        if (!quantizes) {
            return new Activation(linears.norm(hidden), null);
        }
        return fusesQuantization
                ? linears.normQuantize(hidden, null, Tensor.half(hidden.last()), scales)
                : linears.quantize(linears.norm(hidden), scales);
    }

    private Normed addAndNorm(Tensor residual, Tensor added, boolean quantizes, LayerScales scales) {
        Tensor sum = residual.sameShape();
        if (quantizes && fusesQuantization && linears.norms() == NormStyle.PLAIN) {
            var addition = new NormQuantize.Addition(added, sum);
            Tensor weight = Tensor.half(residual.last());
            return new Normed(linears.normQuantize(residual, addition, weight, scales), sum);
        }
        Tensor normed = normedSum(residual, added, sum);
        return new Normed(quantizes ? linears.quantize(normed, scales) : new Activation(normed, null), sum);
    }

    private Tensor normedSum(Tensor residual, Tensor added, Tensor sum) {
        return switch (linears.norms()) {
            case WIDE, SHIFTED -> linears.norm(pass.elementwise(Elementwise.Kind.ADD, sum, residual, added));
            case PLAIN, SHIFTED_AND_SUMMED -> {
                Tensor weight = Tensor.half(residual.last());
                yield pass.add(DeviceOperators.addRmsNorm(residual, added, weight, residual.sameShape(), sum));
            }
        };
    }

    @Override
    public Tensor lastNorm(Tensor input) {
        return linears.lastNorm(input);
    }

    @Override
    public Tensor gather(Tensor source, Tensor indices, Tensor result) {
        return pass.add(DeviceOperators.index(source, indices, result));
    }

    @Override
    public Tensor outputHead(Tensor rows, Tensor weight) {
        Tensor flat = pass.flatten(rows);
        Tensor result = Tensor.half(flat.size(0), weight.last());
        return pass.unflatten(pass.add(new MatMul(flat, weight, null, result)));
    }
}
