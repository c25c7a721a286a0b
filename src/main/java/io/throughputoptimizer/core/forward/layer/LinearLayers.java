package io.throughputoptimizer.core.forward.layer;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.MatMul;
import io.throughputoptimizer.core.operator.NormQuantize;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.QuantizedLinear;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Linear layers under one quantization: their weights, the quantization of what goes in, the product.
public final class LinearLayers {
    /// Norms fuse with quantization only at exactly this epsilon: the reference's pattern matches it literally.
    private static final double FUSED_NORM_EPSILON = 1e-6;

    private final QuantizationScheme scheme;
    private final LinearQuantization quantization;
    private final NormStyle norms;
    private final PassRecorder pass;

    /// All but those of the routed experts.
    ///
    /// @param norms weight storage of norms
    public LinearLayers(QuantizationScheme scheme, NormStyle norms, PassRecorder pass) {
        this(scheme, scheme.nonExperts(), norms, pass);
    }

    private LinearLayers(
            QuantizationScheme scheme, LinearQuantization quantization, NormStyle norms, PassRecorder pass) {
        this.scheme = scheme;
        this.quantization = quantization;
        this.norms = norms;
        this.pass = pass;
    }

    /// Returns the linear layers of the routed experts.
    public LinearLayers ofExperts() {
        return new LinearLayers(scheme, scheme.linear(), norms, pass);
    }

    /// Returns the style in which norms store their weights.
    public NormStyle norms() {
        return norms;
    }

    /// Returns the copies of each norm weight inside layers: 2 if the reference also keeps its sum with 1, else 1.
    public int normCopies(PassAccounting accounting) {
        return norms == NormStyle.SHIFTED_AND_SUMMED && accounting == PassAccounting.DOCUMENTED ? 2 : 1;
    }

    /// Shape of a weight's MXFP4 scales on one rank.
    public record BlockScaleShape(long rows, long columns) {}

    /// Number of MXFP4 blocks in a row of `width` elements.
    public long blocks(long width) {
        return Math.ceilDiv(width, scheme.mxfp4GroupSize());
    }

    /// A new weight `[inputWidth, outputWidth]`.
    public LinearWeight weight(long inputWidth, long outputWidth, BlockScaleShape scales, boolean bias) {
        Tensor weight = switch (quantization.weight()) {
            case HALF -> Tensor.half(inputWidth, outputWidth);
            case INT8 -> Tensor.of(DataType.INT8, inputWidth, outputWidth);
            case PACKED_INT4 -> Tensor.of(DataType.UINT8, inputWidth / 2, outputWidth);
            case FP8 -> Tensor.of(DataType.FLOAT8_E5M2, inputWidth, outputWidth);
            case MXFP4 -> Tensor.of(DataType.INT4, inputWidth, outputWidth);
        };
        Tensor blockScale = isBlockScaled() ? Tensor.of(DataType.FLOAT8_E8M0, scales.rows(), scales.columns()) : null;
        return new LinearWeight(inputWidth, outputWidth, weight, blockScale, bias ? Tensor.half(outputWidth) : null);
    }

    /// A new weight whose scales are split like itself, without bias.
    public LinearWeight weight(long inputWidth, long outputWidth) {
        return weight(inputWidth, outputWidth, new BlockScaleShape(outputWidth, blocks(inputWidth)), false);
    }

    public boolean isBlockScaled() {
        return quantization.activation() == LinearQuantization.Activation.BLOCK_SCALED;
    }

    public boolean isQuantized() {
        return quantization.isEnabled();
    }

    /// Returns whether a compiled graph fuses a norm with the quantization of its result.
    public boolean fusesWithNorm(double epsilon) {
        boolean blockFits = !isBlockScaled() || scheme.mxfp4GroupSize() == 32 || scheme.mxfp4GroupSize() == 64;
        return norms != NormStyle.SHIFTED
                && norms != NormStyle.WIDE
                && isQuantized()
                && epsilon == FUSED_NORM_EPSILON
                && blockFits;
    }

    /// Quantizes an activation in a separate operator; unchanged without quantization.
    public Activation quantize(Tensor input, LayerScales scales) {
        return switch (quantization.activation()) {
            case NONE -> new Activation(input, null);
            case STATIC -> {
                Tensor scale = requireNonNull(scales.activation());
                yield new Activation(pass.add(DeviceOperators.quantize(input, scale, quantized(input))), scale);
            }
            case DYNAMIC -> {
                Tensor scale = LayerScales.scalar();
                yield new Activation(pass.add(DeviceOperators.dynamicQuantize(input, quantized(input), scale)), scale);
            }
            case BLOCK_SCALED -> {
                Tensor scale = blockScale(input);
                yield new Activation(
                        pass.add(DeviceOperators.dynamicQuantizeMxfp4(input, quantized(input), scale)), scale);
            }
        };
    }

    /// Norm and quantization as one operator, with the residual's addition before if there is one.
    public Activation normQuantize(
            Tensor input, NormQuantize.@Nullable Addition addition, Tensor normWeight, LayerScales scales) {
        NormQuantize.Kind kind = switch (quantization.activation()) {
            case NONE -> throw new IllegalStateException("nothing to fuse: linears are not quantized");
            case STATIC -> NormQuantize.Kind.STATIC;
            case DYNAMIC -> NormQuantize.Kind.DYNAMIC;
            case BLOCK_SCALED -> NormQuantize.Kind.MXFP4;
        };
        Tensor scale = switch (kind) {
            case STATIC -> requireNonNull(scales.activation());
            case DYNAMIC -> LayerScales.scalar();
            case MXFP4 -> blockScale(input);
        };
        return new Activation(
                pass.add(new NormQuantize(kind, input, addition, normWeight, quantized(input), scale)), scale);
    }

    /// One product with the parts' weights side by side. Under MXFP4 a merged weight keeps the scales of its
    /// first part alone.
    ///
    /// @param input `[S, K]`
    /// @return `[S, sum of the parts' output widths]`
    public Tensor apply(Activation input, List<LinearWeight> parts, LayerScales scales) {
        LinearWeight first = parts.getFirst();
        LinearWeight merged = parts.size() == 1 ? first : merge(parts);
        Tensor result = Tensor.half(input.values().size(0), merged.outputWidth());
        if (!isQuantized()) {
            return pass.add(new MatMul(input.values(), merged.weight(), merged.bias(), result));
        }
        Tensor weightScale = first.blockScale() == null ? requireNonNull(scales.weight()) : first.blockScale();
        return pass.add(new QuantizedLinear(
                kind(),
                input.values(),
                merged.weight(),
                requireNonNull(input.scale()),
                weightScale,
                merged.bias(),
                result));
    }

    /// A row-parallel linear: its partial sums are added over the group.
    ///
    /// @param input `[S, K]`
    /// @return `[1, S, N]`
    public Tensor applyAndReduce(Activation input, LinearWeight weight, LayerScales scales, ProcessGroup group) {
        Tensor product = apply(input, List.of(weight), scales);
        return group.size() > 1 ? pass.allReduce(product, group) : pass.unflatten(product);
    }

    /// A norm inside a layer of a compiled graph, over the last dimension, with a weight of its own.
    public Tensor norm(Tensor input) {
        return switch (norms) {
            case PLAIN, SHIFTED_AND_SUMMED -> fusedNorm(input);
            case WIDE -> SteppedNorm.plain(pass, true).apply(input);
            case SHIFTED -> SteppedNorm.shifted(pass, true).apply(input);
        };
    }

    /// A norm inside a layer of a compiled graph, over the last dimension, without a weight.
    public Tensor bareNorm(Tensor input) {
        return SteppedNorm.bare(pass, true).apply(input);
    }

    /// The norm after all layers of a compiled graph.
    public Tensor lastNorm(Tensor input) {
        return switch (norms) {
            case PLAIN -> fusedNorm(input);
            case WIDE -> SteppedNorm.plain(pass, true).apply(input);
            case SHIFTED, SHIFTED_AND_SUMMED -> SteppedNorm.shifted(pass, true).apply(input);
        };
    }

    /// A fused norm, with a plain weight.
    public Tensor fusedNorm(Tensor input) {
        return pass.add(DeviceOperators.rmsNorm(input, Tensor.half(input.last()), input.sameShape()));
    }

    public static LinearWeight merge(List<LinearWeight> parts) {
        LinearWeight first = parts.getFirst();
        long width = parts.stream().mapToLong(LinearWeight::outputWidth).sum();
        return new LinearWeight(
                first.inputWidth(),
                width,
                first.weight().withLast(width),
                first.blockScale(),
                first.bias() == null ? null : first.bias().withLast(width));
    }

    public QuantizedLinear.Kind kind() {
        return switch (quantization.weight()) {
            case HALF -> throw new IllegalStateException("linears are not quantized");
            case INT8 -> QuantizedLinear.Kind.INT8;
            case PACKED_INT4 -> QuantizedLinear.Kind.INT4;
            case FP8 -> QuantizedLinear.Kind.FP8;
            case MXFP4 -> QuantizedLinear.Kind.MXFP4;
        };
    }

    public Tensor quantized(Tensor input) {
        return input.as(isBlockScaled() ? DataType.INT4 : DataType.INT8);
    }

    public Tensor blockScale(Tensor input) {
        return input.as(DataType.FLOAT8_E8M0).withLast(blocks(input.last()));
    }
}
