package io.throughputoptimizer.core.operator;

import java.util.List;

/// Embeds image patches by a convolution as wide as a patch, which is a product `[N, K] x [K, M]` with a bias.
///
/// Reads patches, weight and bias, writes the result; `2 N K M + N M` matrix operations in the patches' type, the
/// second part for the bias.
///
/// @param patches `[N, channels, frames, size, size]`, `K` numbers a patch
/// @param weight `[M, channels, frames, size, size]`
/// @param bias `[M]`
/// @param result `[N, M]`
public record PatchConvolution(Tensor patches, Tensor weight, Tensor bias, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        return "aten.convolution.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(patches, weight, bias);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        Form products = weight.elements().times(2).times(patches.size(0));
        return OperatorWork.moving(inputs(), outputs()).withMatrix(patches.type(), products.plus(result.elements()));
    }
}
