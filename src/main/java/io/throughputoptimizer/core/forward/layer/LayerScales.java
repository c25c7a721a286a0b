package io.throughputoptimizer.core.forward.layer;

import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// Scalar quantization parameters of one layer, 4 bytes each, shared by all its linears.
///
/// @param weight absent without quantization and under MXFP4, whose scales belong to each weight
/// @param activation present with static quantization only
public record LayerScales(@Nullable Tensor weight, @Nullable Tensor activation) {
    public static LayerScales of(LinearQuantization quantization) {
        return switch (quantization.activation()) {
            case NONE, BLOCK_SCALED -> new LayerScales(null, null);
            case STATIC -> new LayerScales(scalar(), scalar());
            case DYNAMIC -> new LayerScales(scalar(), null);
        };
    }

    static Tensor scalar() {
        return Tensor.of(DataType.FLOAT32);
    }

    public double bytes() {
        return bytes(weight) + bytes(activation);
    }

    private static double bytes(@Nullable Tensor scale) {
        return scale == null ? 0 : scale.bytes().number();
    }
}
