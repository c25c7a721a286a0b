package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.operator.AddRmsNorm;
import io.throughputoptimizer.core.operator.Elementwise;
import io.throughputoptimizer.core.operator.Index;
import io.throughputoptimizer.core.operator.MatMul;
import io.throughputoptimizer.core.operator.NormQuantize;
import io.throughputoptimizer.core.operator.RmsNorm;
import io.throughputoptimizer.core.operator.Tensor;

/// A compiled graph: norms fuse with the residual's addition and, where the epsilon allows, with quantization.
final class CompiledGraph implements GraphStyle {
    private final AttentionBlock attention;
    private final FeedForwardBlock feedForward;
    private final LinearLayers linears;
    private final PassRecorder pass;
    private final Fusion fusion;

    /// @param linear decides which scalar scales a layer has
    /// @param withQuantization whether norms fuse with quantization
    record Fusion(LinearQuantization linear, boolean withQuantization) {}

    CompiledGraph(
            AttentionBlock attention,
            FeedForwardBlock feedForward,
            LinearLayers linears,
            PassRecorder pass,
            Fusion fusion) {
        this.attention = attention;
        this.feedForward = feedForward;
        this.linears = linears;
        this.pass = pass;
        this.fusion = fusion;
    }

    /// Input of the feed-forward part, and the residual stream beside it.
    private record Normed(Activation input, Tensor residual) {}

    @Override
    public void layer(Tensor hidden, Rotary rotary, Tensor output) {
        LayerScales scales = LayerScales.of(fusion.linear());
        Tensor attended = attention.record(inputNorm(hidden, scales), scales, rotary);
        Normed normed = addAndNorm(hidden, attended, scales);
        Tensor fedForward = feedForward.record(normed.input(), scales);
        pass.elementwise(Elementwise.Kind.ADD, output, normed.residual(), fedForward);
    }

    private Activation inputNorm(Tensor hidden, LayerScales scales) {
        return fusion.withQuantization()
                ? linears.normQuantize(hidden, null, Tensor.half(hidden.last()), scales)
                : linears.quantize(norm(hidden), scales);
    }

    private Normed addAndNorm(Tensor residual, Tensor added, LayerScales scales) {
        Tensor weight = Tensor.half(residual.last());
        Tensor sum = residual.sameShape();
        if (fusion.withQuantization()) {
            var addition = new NormQuantize.Addition(added, sum);
            return new Normed(linears.normQuantize(residual, addition, weight, scales), sum);
        }
        Tensor normed = pass.add(new AddRmsNorm(residual, added, weight, residual.sameShape(), sum));
        return new Normed(linears.quantize(normed, scales), sum);
    }

    @Override
    public Tensor norm(Tensor input) {
        return pass.add(new RmsNorm(input, Tensor.half(input.last()), input.sameShape()));
    }

    @Override
    public Tensor gather(Tensor source, Tensor indices, Tensor result) {
        return pass.add(new Index(source, indices, result));
    }

    @Override
    public Tensor outputHead(Tensor rows, Tensor weight) {
        Tensor flat = pass.flatten(rows);
        Tensor result = Tensor.half(flat.size(0), weight.last());
        return pass.unflatten(pass.add(new MatMul(flat, weight, null, result)));
    }
}
