package io.throughputoptimizer.core.forward.decoder;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.HyperConnections;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.MatMul;
import io.throughputoptimizer.core.operator.Tensor;

/// A graph with several residual streams in place of one: no residual is added, and norms inside layers stay
/// operators of their own, compiled or not.
final class ConnectedGraph implements GraphStyle {
    private static final long SCALES = 3;

    /// Results of [DeviceOperators#streamMix].
    private record Mix(Tensor mixture, Tensor out, Tensor among) {}

    private final HyperConnections connections;
    private final GraphStyle graph;
    private final boolean compiled;
    private final LinearLayers linears;
    private final PassRecorder pass;
    private final int hiddenSize;

    /// @param graph style of everything except the streams
    ConnectedGraph(
            HyperConnections connections,
            int hiddenSize,
            GraphStyle graph,
            boolean compiled,
            LinearLayers linears,
            PassRecorder pass) {
        this.connections = connections;
        this.hiddenSize = hiddenSize;
        this.graph = graph;
        this.compiled = compiled;
        this.linears = linears;
        this.pass = pass;
    }

    @Override
    public Tensor enter(Tensor hidden) {
        return pass.elementwise(Kind.REPEAT, hidden.withLast(connections.streams() * hidden.last()), hidden);
    }

    @Override
    public void layer(DecoderBlocks.Layer layer, Tensor streams, LayerInputs inputs, Tensor output) {
        Mix before = mix(streams);
        Tensor attended = layer.attention().record(normed(before), inputs);
        Tensor between = streams.sameShape();
        update(attended, streams, before, between);
        Mix again = mix(between);
        Tensor fedForward = layer.feedForward().record(normed(again), inputs.scalesOfFeedForward());
        update(fedForward, between, again, output);
    }

    private Activation normed(Mix mix) {
        return new Activation(linears.fusedNorm(mix.mixture()), null);
    }

    /// The input of a part of the layer, and the weights of what becomes of its result.
    private Mix mix(Tensor streams) {
        long count = connections.streams();
        long mixtures = connections.mixtures();
        Tensor wide = pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, streams.as(DataType.FLOAT32), streams);
        Tensor factor = pass.add(DeviceOperators.streamNorm(streams, Tensor.of(DataType.FLOAT32, 1, TOKENS.form(), 1)));
        Tensor matrix = Tensor.of(DataType.FLOAT32, streams.last(), mixtures);
        Tensor rows = pass.flatten(wide);
        Tensor raw = pass.unflatten(
                pass.add(new MatMul(rows, matrix, null, Tensor.of(DataType.FLOAT32, TOKENS.form(), mixtures))));
        Tensor scaled = pass.elementwise(Kind.MULTIPLY, raw.sameShape(), raw, factor);
        Mix mix = new Mix(
                streams.withLast(streams.last() / count),
                Tensor.of(DataType.FLOAT32, 1, TOKENS.form(), count),
                Tensor.of(DataType.FLOAT32, 1, TOKENS.form(), count * count));
        pass.add(DeviceOperators.streamMix(
                scaled,
                streams,
                Tensor.of(DataType.FLOAT32, SCALES),
                Tensor.of(DataType.FLOAT32, mixtures),
                connections.iterations(),
                mix.mixture(),
                mix.out(),
                mix.among()));
        return mix;
    }

    private void update(Tensor added, Tensor streams, Mix mix, Tensor result) {
        pass.add(DeviceOperators.streamUpdate(added, streams, mix.out(), mix.among(), result));
    }

    @Override
    public Tensor leave(Tensor streams) {
        long count = connections.streams();
        return pass.add(DeviceOperators.streamHead(
                streams,
                Tensor.of(DataType.FLOAT32, count, streams.last()),
                Tensor.of(DataType.FLOAT32, 1),
                Tensor.of(DataType.FLOAT32, count),
                streams.withLast(streams.last() / count)));
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
        return DataType.FLOAT32.bytes(connections.layerParameters(hiddenSize));
    }

    @Override
    public double frameWeightBytes() {
        return DataType.FLOAT32.bytes(connections.headParameters(hiddenSize));
    }
}
