package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.AttentionOperators;
import io.throughputoptimizer.core.operator.attention.DeltaRule;
import java.util.List;

/// Linear attention by the gated delta rule, compiled or eager: they differ in the projections alone. Under MXFP4 only
/// projections with equal scale shapes merge: those of step sizes and decays.
final class DeltaAttention implements AttentionBlock {
    private final DeltaShard shard;
    private final LinearLayers linears;
    private final EagerLayers eager;
    private final boolean recurrent;
    private final PassRecorder pass;

    DeltaAttention(DeltaShard shard, LinearLayers linears, boolean recurrent, PassRecorder pass) {
        this.shard = shard;
        this.linears = linears;
        this.eager = new EagerLayers(linears, pass);
        this.recurrent = recurrent;
        this.pass = pass;
    }

    /// Projections of the residual stream, `[S, width]` each.
    private record Projected(Tensor mixed, Tensor gate, Tensor stepSize, Tensor decay) {}

    @Override
    public Tensor record(Activation input, LayerInputs inputs) {
        LayerScales scales = inputs.scales();
        DeltaShard.Weights weights = shard.weights();
        Projected projected =
                shard.isCompiled() ? project(input, weights, scales) : projectEagerly(input, weights, scales);
        Tensor normed = norm(attend(projected), projected.gate());
        if (!shard.isCompiled()) {
            return eager.linearAndReduce(pass.unflatten(normed), weights.output(), scales, shard.tensorParallelGroup());
        }
        return linears.applyAndReduce(
                linears.quantize(normed, scales), weights.output(), scales, shard.tensorParallelGroup());
    }

    private Projected project(Activation input, DeltaShard.Weights weights, LayerScales scales) {
        Activation rows = input.with(pass.flatten(input.values()));
        if (!linears.isBlockScaled()) {
            Tensor merged = linears.apply(
                    rows, List.of(weights.mixed(), weights.gate(), weights.stepSize(), weights.decay()), scales);
            List<Tensor> parts =
                    pass.split(merged, shard.channels(), shard.valueWidth(), shard.valueHeads(), shard.valueHeads());
            return new Projected(parts.get(0), parts.get(1), parts.get(2), parts.get(3));
        }
        Tensor mixed = linears.apply(rows, List.of(weights.mixed()), scales);
        Tensor gate = linears.apply(rows, List.of(weights.gate()), scales);
        Tensor merged = linears.apply(rows, List.of(weights.stepSize(), weights.decay()), scales);
        List<Tensor> parts = pass.split(merged, shard.valueHeads(), shard.valueHeads());
        return new Projected(mixed, gate, parts.get(0), parts.get(1));
    }

    private Projected projectEagerly(Activation input, DeltaShard.Weights weights, LayerScales scales) {
        Tensor normed = input.values();
        return new Projected(
                pass.flatten(eager.linear(normed, weights.mixed(), scales)),
                pass.flatten(eager.linear(normed, weights.gate(), scales)),
                pass.flatten(eager.linear(normed, weights.stepSize(), scales)),
                pass.flatten(eager.linear(normed, weights.decay(), scales)));
    }

    private Tensor attend(Projected projected) {
        Form tokens = TOKENS.form();
        Tensor mixed = projected.mixed();
        Tensor convolved =
                pass.add(AttentionOperators.causalConvolution(mixed, shard.kernel(), recurrent, mixed.sameShape()));
        List<Tensor> parts = pass.split(convolved, shard.keyWidth(), shard.keyWidth(), shard.valueWidth());
        Tensor vector = Tensor.half(shard.allValueHeads());
        List<Tensor> wide = List.of(Tensor.half(tokens, shard.valueWidth()), Tensor.half(tokens, shard.valueWidth()));
        Tensor stepSizes = Tensor.half(tokens, shard.valueHeads());
        Tensor decays = Tensor.of(DataType.FLOAT32, tokens, shard.valueHeads());
        pass.add(AttentionOperators.deltaGating(
                parts.subList(0, 2),
                List.of(projected.stepSize(), projected.decay()),
                List.of(vector, vector.sameShape()),
                wide,
                stepSizes,
                decays));
        List<Tensor> operands = List.of(wide.get(0), wide.get(1), parts.get(2), stepSizes, decays);
        return pass.add(new DeltaRule(
                operands, shard.heads(), shard.method(recurrent), Tensor.half(tokens, shard.valueWidth())));
    }

    private Tensor norm(Tensor attended, Tensor gate) {
        Tensor weight = Tensor.half(shard.headSize());
        return pass.add(AttentionOperators.gatedNorm(attended, gate, weight, attended.sameShape()));
    }

    @Override
    public DeltaShard shard() {
        return shard;
    }
}
