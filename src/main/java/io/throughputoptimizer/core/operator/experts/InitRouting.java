package io.throughputoptimizer.core.operator.experts;

import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Repeats each token once for each of its experts and sorts the copies by expert; memory traffic alone.
///
/// @param tokens `[n, h]`
/// @param indices experts of each token `[n, k]`, int64
/// @param result `[n k, h]`
public record InitRouting(Tensor tokens, Tensor indices, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.init_routing_v2.default";
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
