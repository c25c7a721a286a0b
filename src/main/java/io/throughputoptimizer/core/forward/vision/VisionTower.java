package io.throughputoptimizer.core.forward.vision;

import static io.throughputoptimizer.core.operator.Quantity.IMAGES;

import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.ImagePatching;
import io.throughputoptimizer.core.model.VisionSpec;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;

/// The vision tower of a prefill pass with images: from patches `[N, K]` to tokens of the decoder's width. It is eager
/// and in float16 whatever the deployment says, and whole on every rank.
///
/// How its features reach the decoder is free: the reference does not book their scatter into the embeddings, nor the
/// additions of the deepstack features.
///
/// Two things here are approximate: the small operators of [DeviceOperators#patchIndexing], known only as a total, and
/// the activation,
/// for which the tower's blocks are taken to follow the identity rules of the decoder's layers.
public final class VisionTower {
    /// Small operators on patch indices in the published model code: about 75 for two images, of which those that lay
    /// out the patches of an image come once for each.
    private static final long INDEX_OPERATORS = 63;

    private static final long INDEX_OPERATORS_PER_IMAGE = 6;

    /// Results of [DeviceOperators#patchIndexing].
    private record Indexing(Tensor neighbours, Tensor weights, Tensor coordinates) {}

    private final VisionSpec spec;
    private final int outputSize;
    private final ImagePatching.Grid grid;
    private final VisionLayers layers;
    private final VisionBlock block;
    private final PassRecorder pass;

    /// @param outputSize width of the decoder's tokens
    public VisionTower(VisionSpec spec, int outputSize, ImagePatching.Grid grid, PassRecorder pass) {
        this.spec = spec;
        this.outputSize = outputSize;
        this.grid = grid;
        this.layers = new VisionLayers(pass);
        this.block = new VisionBlock(spec, grid, pass);
        this.pass = pass;
    }

    /// Writes the tower down.
    ///
    /// @param ids tokens of the text, those of images included; compared to find the latter
    public void record(Tensor ids) {
        Tensor embedded = embedPatches();
        Indexing indexing = index();
        Tensor hidden = pass.elementwise(Kind.ADD, embedded.sameShape(), embedded, embedPositions(indexing));
        Tensor encoded = encode(hidden, rotary(indexing.coordinates()));
        Tensor features = merge(pass.view(layers.norm(encoded), tokens(), spec.mergedSize()));
        Tensor perImage = pass.view(features, tokens(), outputSize);
        pass.elementwise(Kind.CONCATENATE, perImage.sameShape(), perImage);
        pass.elementwise(Kind.EQUAL, ids.as(DataType.BOOL), ids);
    }

    public double weightBytes() {
        return DataType.FLOAT16.bytes(spec.parameterCount(outputSize));
    }

    private Tensor embedPatches() {
        var patching = spec.patching();
        Tensor pixels = Tensor.half(patches(), patching.patchWidth());
        Tensor patches = pass.view(
                pixels, patches(), patching.channels(), patching.frames(), patching.patchSize(), patching.patchSize());
        Tensor weight = Tensor.half(
                spec.hiddenSize(), patching.channels(), patching.frames(), patching.patchSize(), patching.patchSize());
        Tensor result = Tensor.half(patches(), spec.hiddenSize());
        return pass.add(DeviceOperators.patchConvolution(patches, weight, Tensor.half(spec.hiddenSize()), result));
    }

    private Indexing index() {
        Form patches = patches();
        Indexing indexing = new Indexing(
                Tensor.of(DataType.INT64, patches, 4),
                Tensor.of(DataType.FLOAT32, patches, 4),
                Tensor.of(DataType.INT64, patches, 2));
        pass.add(DeviceOperators.patchIndexing(
                Tensor.of(DataType.INT64, IMAGES.form(), 3),
                IMAGES.form().times(INDEX_OPERATORS_PER_IMAGE).plus(INDEX_OPERATORS),
                indexing.neighbours(),
                indexing.weights(),
                indexing.coordinates()));
        return indexing;
    }

    /// Position embeddings of the four neighbours of each patch, weighted in float32.
    private Tensor embedPositions(Indexing indexing) {
        Tensor table = Tensor.half(spec.positions(), spec.hiddenSize());
        Tensor found = Tensor.half(patches(), indexing.neighbours().last(), spec.hiddenSize());
        Tensor neighbours = pass.add(DeviceOperators.embedding(table, indexing.neighbours(), found));
        Tensor weights =
                pass.view(indexing.weights(), patches(), indexing.weights().last(), 1);
        Tensor weighted = pass.elementwise(Kind.MULTIPLY, found.as(DataType.FLOAT32), neighbours, weights);
        Tensor sum = Tensor.of(DataType.FLOAT32, patches(), spec.hiddenSize());
        pass.elementwise(Kind.SUM, sum, weighted);
        return pass.elementwise(Kind.CAST, sum.as(DataType.FLOAT16), sum);
    }

    /// Rotary factors by row and column, a quarter of a head each, used for both halves of it.
    private Rotary rotary(Tensor coordinates) {
        long quarter = spec.headSize() / 4;
        Tensor frequencies = Tensor.of(DataType.FLOAT32, quarter);
        Tensor angles = pass.elementwise(
                Kind.MULTIPLY,
                Tensor.of(DataType.FLOAT32, patches(), 2, quarter),
                pass.view(coordinates, patches(), 2, 1),
                frequencies);
        Tensor half = pass.view(angles, patches(), 2 * quarter);
        Tensor whole = pass.elementwise(Kind.CONCATENATE, half.withLast(spec.headSize()), half, half);
        return new Rotary(
                pass.elementwise(Kind.COSINE, whole.sameShape(), whole),
                pass.elementwise(Kind.SINE, whole.sameShape(), whole));
    }

    /// All blocks, with a merger after each that hands on its patches. As in the decoder, blocks after the first take
    /// inputs of their own, and all leave their result in one and the same tensor.
    private Tensor encode(Tensor hidden, Rotary rotary) {
        Tensor output = hidden.sameShape();
        block.record(hidden, VisionBlock.Inputs.of(patches(), spec.headSize()).with(rotary), output);
        int done = 1;
        for (int tapped : spec.deepstackBlocks()) {
            repeatBlock(tapped + 1 - done, output);
            merge(layers.norm(pass.view(output, tokens(), spec.mergedSize())));
            done = tapped + 1;
        }
        repeatBlock(spec.depth() - done, output);
        return output;
    }

    private void repeatBlock(int blocks, Tensor output) {
        if (blocks > 0) {
            pass.repeat(Form.of(blocks), () -> {
                block.record(output, VisionBlock.Inputs.of(patches(), spec.headSize()), output);
                return output;
            });
        }
    }

    /// Patches side by side become tokens `[N / mergeSize^2, h]`.
    private Tensor merge(Tensor merged) {
        return layers.network(merged, spec.mergedSize(), outputSize);
    }

    private Form tokens() {
        return patches().dividedBy(spec.patching().patchesPerToken());
    }

    /// Patches of all images, `N`.
    private Form patches() {
        return IMAGES.form().times(grid.patches());
    }
}
