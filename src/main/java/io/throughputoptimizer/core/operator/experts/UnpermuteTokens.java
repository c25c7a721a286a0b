package io.throughputoptimizer.core.operator.experts;

import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Undoes [InitRouting]: results of experts, sorted by expert, are sorted by token again; memory traffic alone.
///
/// @param tokens `[n k, h]`
/// @param indices experts of each token `[n, k]`, int64
/// @param result `[n, k, h]`
public record UnpermuteTokens(Tensor tokens, Tensor indices, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.unpermute_tokens.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(tokens, indices);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }
}
