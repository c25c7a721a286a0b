package io.throughputoptimizer.core.operator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds the residual and normalizes the sum, fused; memory traffic alone: the reference charges no
/// arithmetic.
///
/// @param residual `[1, S, h]`
/// @param input what is added to it, `S h` elements
/// @param weight `[h]`
/// @param normed `[1, S, h]`
/// @param sum the new residual, `[1, S, h]`; absent where nobody needs it
public record AddRmsNorm(
        Tensor residual,
        Tensor input,
        Tensor weight,
        Tensor normed,
        @Nullable Tensor sum) implements DeviceOperator {
    @Override
    public String name() {
        return sum == null ? "tensor_cast.add_rms_norm.default" : "tensor_cast.add_rms_norm2.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(residual, input, weight);
    }

    @Override
    public List<Tensor> outputs() {
        return sum == null ? List.of(normed) : List.of(normed, sum);
    }
}
