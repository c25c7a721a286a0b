package io.throughputoptimizer.core.forward.vision;

import static io.throughputoptimizer.core.operator.Quantity.IMAGES;

import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.ImagePatching;
import io.throughputoptimizer.core.model.VisionSpec;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.View;
import io.throughputoptimizer.core.operator.attention.Attention;
import java.util.List;

/// A transformer block of the vision tower: attention within each image, rotated in float32, and a feed-forward part.
final class VisionBlock {
    private final VisionSpec spec;
    private final ImagePatching.Grid grid;
    private final VisionLayers layers;
    private final PassRecorder pass;

    VisionBlock(VisionSpec spec, ImagePatching.Grid grid, PassRecorder pass) {
        this.spec = spec;
        this.grid = grid;
        this.layers = new VisionLayers(pass);
        this.pass = pass;
    }

    /// @param hidden patches `[N, hv]`
    /// @param inputs shared inputs of all blocks
    /// @param output receives the hidden states
    void record(Tensor hidden, Inputs inputs, Tensor output) {
        Tensor attended = attend(layers.norm(hidden), inputs);
        Tensor residual = pass.elementwise(Kind.ADD, hidden.sameShape(), hidden, attended);
        Tensor fed = layers.network(layers.norm(residual), spec.intermediateSize(), spec.hiddenSize());
        pass.elementwise(Kind.ADD, output, residual, fed);
    }

    /// Inputs of a block other than its weights and the patches.
    ///
    /// @param rotary factors of each patch, `[N, dv]` each, float32
    /// @param boundaries patches before each image and after the last `[images + 1]`, int32
    record Inputs(Rotary rotary, Tensor boundaries) {
        static Inputs of(Form patches, int headSize) {
            Tensor factors = Tensor.of(DataType.FLOAT32, patches, headSize);
            return new Inputs(
                    new Rotary(factors, factors.sameShape()),
                    Tensor.of(DataType.INT32, IMAGES.form().plus(1)));
        }

        Inputs with(Rotary other) {
            return new Inputs(other, boundaries);
        }
    }

    private Tensor attend(Tensor normed, Inputs inputs) {
        List<Tensor> heads = heads(layers.linear(normed, 3L * spec.hiddenSize()));
        Tensor wideQuery = widened(heads.get(0));
        Tensor wideKey = widened(heads.get(1));
        Rotary rotary = new Rotary(
                perHead(inputs.rotary().cosines()), perHead(inputs.rotary().sines()));
        Tensor rotatedQuery = rotated(wideQuery, rotary);
        Tensor rotatedKey = rotated(wideKey, rotary);
        Tensor query = inHeads(narrowed(rotatedQuery));
        Tensor key = inHeads(narrowed(rotatedKey));
        Tensor value = inHeads(heads.get(2));
        measureImages(inputs.boundaries());
        return layers.linear(
                attendWithinImages(ofOneImage(query), ofOneImage(key), ofOneImage(value)), spec.hiddenSize());
    }

    /// `[N, 3 hv]` as three times `[N, A, dv]`.
    private List<Tensor> heads(Tensor projected) {
        Form count = projected.size(0);
        Tensor parts = pass.view(projected, count, 3, spec.heads(), spec.headSize());
        Tensor partsFirst = pass.view(parts, 3, count, spec.heads(), spec.headSize());
        Tensor part = Tensor.half(count, spec.heads(), spec.headSize());
        List<Tensor> results = List.of(part, part.sameShape(), part.sameShape());
        pass.add(new View(partsFirst, results));
        return results;
    }

    private Tensor widened(Tensor heads) {
        return pass.elementwise(Kind.CAST, heads.as(DataType.FLOAT32), heads);
    }

    private Tensor narrowed(Tensor heads) {
        return pass.elementwise(Kind.CAST, heads.as(DataType.FLOAT16), heads);
    }

    private Tensor perHead(Tensor factors) {
        return pass.view(factors, factors.size(0), 1, factors.last());
    }

    /// `x cos + concat(-high half, low half) sin`.
    private Tensor rotated(Tensor heads, Rotary rotary) {
        Tensor cosinePart = pass.elementwise(Kind.MULTIPLY, heads.sameShape(), heads, rotary.cosines());
        Tensor low = pass.view(heads, heads.withLast(heads.last() / 2));
        Tensor high = pass.view(heads, heads.withLast(heads.last() / 2));
        Tensor negated = pass.elementwise(Kind.NEGATE, high.sameShape(), high);
        Tensor swapped = pass.elementwise(Kind.CONCATENATE, heads.sameShape(), negated, low);
        Tensor sinePart = pass.elementwise(Kind.MULTIPLY, heads.sameShape(), swapped, rotary.sines());
        return pass.elementwise(Kind.ADD, heads.sameShape(), cosinePart, sinePart);
    }

    /// `[N, A, dv]` as `[1, A, N, dv]`.
    private Tensor inHeads(Tensor heads) {
        Tensor headsFirst = pass.view(heads, heads.permuted(1, 0, 2));
        return pass.view(headsFirst, headsFirst.stacked(Form.ONE));
    }

    /// Length of each image, from where it begins and where the next one does.
    private void measureImages(Tensor boundaries) {
        Tensor ends = pass.view(boundaries, IMAGES.form());
        Tensor starts = pass.view(boundaries, IMAGES.form());
        pass.elementwise(Kind.SUBTRACT, ends.sameShape(), ends, starts);
    }

    /// The share of one image in `[1, A, N, dv]`; as all shares are equal, one stands for each.
    private Tensor ofOneImage(Tensor heads) {
        return pass.view(heads, 1, heads.size(1), grid.patches(), heads.last());
    }

    /// One attention for each image, and their results joined to `[N, hv]`.
    private Tensor attendWithinImages(Tensor query, Tensor key, Tensor value) {
        long patches = grid.patches();
        Form total = IMAGES.form().times(patches);
        Tensor result = pass.repeat(IMAGES.form(), () -> {
            Tensor rows = pass.view(pass.swapMiddle(query), Form.of(patches), spec.hiddenSize());
            return pass.add(new Attention(
                    rows,
                    pass.swapMiddle(key),
                    pass.swapMiddle(value),
                    List.of(),
                    List.of(),
                    new Attention.Load(Form.of((double) patches * patches), Form.of(patches)),
                    rows.sameShape()));
        });
        Tensor results = pass.view(result, 1, total, spec.heads(), spec.headSize());
        Tensor joined = pass.elementwise(Kind.CONCATENATE, results.sameShape(), results);
        return pass.view(joined, total, spec.hiddenSize());
    }
}
