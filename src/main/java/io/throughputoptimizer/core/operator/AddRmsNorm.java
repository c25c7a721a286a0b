package io.throughputoptimizer.core.operator;

import java.util.List;

/// Adds the residual and normalizes the sum, fused; memory traffic alone: the reference charges no
/// arithmetic.
///
/// @param residual `[1, S, h]`
/// @param input what is added to it, `S h` elements
/// @param weight `[h]`
/// @param normed `[1, S, h]`
/// @param sum the new residual, `[1, S, h]`
public record AddRmsNorm(Tensor residual, Tensor input, Tensor weight, Tensor normed, Tensor sum)
        implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.add_rms_norm2.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(residual, input, weight);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(normed, sum);
    }
}
