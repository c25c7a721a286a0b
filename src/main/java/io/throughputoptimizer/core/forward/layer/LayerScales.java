package io.throughputoptimizer.core.forward.layer;

import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Scalar quantization parameters of one layer, 4 bytes each, shared by all its linears; routed experts that are
/// quantized otherwise share a set of their own.
///
/// @param weight absent without quantization and under MXFP4, whose scales belong to each weight
/// @param activation present with static quantization only
/// @param ofExperts scales of the routed experts, if they are quantized differently
public record LayerScales(
        @Nullable Tensor weight,
        @Nullable Tensor activation,
        @Nullable LayerScales ofExperts) {
    public static LayerScales of(QuantizationScheme scheme) {
        return of(scheme.nonExperts(), scheme.setsExpertsApart() ? of(scheme.linear(), null) : null);
    }

    private static LayerScales of(LinearQuantization quantization, @Nullable LayerScales ofExperts) {
        return switch (quantization.activation()) {
            case NONE, BLOCK_SCALED -> new LayerScales(null, null, ofExperts);
            case STATIC -> new LayerScales(scalar(), scalar(), ofExperts);
            case DYNAMIC -> new LayerScales(scalar(), null, ofExperts);
        };
    }

    /// Returns the scales of the routed experts.
    public LayerScales experts() {
        return ofExperts == null ? this : ofExperts;
    }

    /// All of them, the experts' last.
    Stream<Tensor> all() {
        Stream<Tensor> own = Stream.of(weight, activation).flatMap(Stream::ofNullable);
        return ofExperts == null ? own : Stream.concat(own, ofExperts.all());
    }

    static Tensor scalar() {
        return Tensor.of(DataType.FLOAT32);
    }

    /// Returns the bytes of this set, without the experts' own scales.
    public double bytes() {
        return bytes(weight) + bytes(activation);
    }

    private static double bytes(@Nullable Tensor scale) {
        return scale == null ? 0 : scale.bytes().number();
    }
}
