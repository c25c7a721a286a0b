package io.throughputoptimizer.core.forward.decoder;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise;
import io.throughputoptimizer.core.operator.MatMul;
import io.throughputoptimizer.core.operator.Tensor;

/// An eager graph: every operator runs separately.
final class EagerGraph implements GraphStyle {
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
