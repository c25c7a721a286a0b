package io.throughputoptimizer.core.forward.decoder;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// A compiled graph whose layers the reference traces one by one, because some take the selection of one before: the
/// addition at the end of a layer fuses with the norm before the next, and that of the last layer with the last norm.
/// Draft layers are traced by themselves.
final class ChainedGraph implements GraphStyle {
    private final CompiledGraph graph;
    private final LinearLayers linears;
    private final PassRecorder pass;
    /// The output of the previous layer, which the next norm adds to the residual stream.
    private CompiledGraph.@Nullable Halves pending;

    /// True once the last norm is recorded.
    private boolean ended;

    ChainedGraph(CompiledGraph graph, LinearLayers linears, PassRecorder pass) {
        this.graph = graph;
        this.linears = linears;
        this.pass = pass;
    }

    @Override
    public void layer(DecoderBlocks.Layer layer, Tensor hidden, LayerInputs inputs, Tensor output) {
        if (ended) {
            graph.layer(layer, hidden, inputs, output);
            return;
        }
        CompiledGraph.Halves before = pending;
        if (before == null) {
            Activation input = new Activation(linears.fusedNorm(hidden), null);
            pending = graph.halves(layer, hidden, input, inputs);
            return;
        }
        Tensor sum = hidden.sameShape();
        Tensor normed = pass.add(norm(before, sum));
        pending = graph.halves(layer, sum, new Activation(normed, null), inputs);
    }

    private static DeviceOperator norm(CompiledGraph.Halves before, @Nullable Tensor sum) {
        Tensor residual = before.residual();
        return DeviceOperators.addRmsNorm(
                residual, before.added(), Tensor.half(residual.last()), residual.sameShape(), sum);
    }

    @Override
    public Tensor lastNorm(Tensor input) {
        ended = true;
        return pass.add(norm(requireNonNull(pending), null));
    }

    @Override
    public Tensor gather(Tensor source, Tensor indices, Tensor result) {
        return graph.gather(source, indices, result);
    }

    @Override
    public Tensor outputHead(Tensor rows, Tensor weight) {
        return graph.outputHead(rows, weight);
    }
}
