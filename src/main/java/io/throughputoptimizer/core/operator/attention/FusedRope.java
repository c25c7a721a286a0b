package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Rotates the first elements of the heads of queries and keys by their positions, fused; memory traffic alone: the
/// reference charges no arithmetic.
///
/// @param query `[S, hq, D]`
/// @param key `[S, hk, D]`
/// @param factors cosines and sines side by side, `[S, 2 r]`
/// @param rotatedQuery the query's shape
/// @param rotatedKey the key's shape
public record FusedRope(Tensor query, Tensor key, Tensor factors, Tensor rotatedQuery, Tensor rotatedKey)
        implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.fused_rope.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(query, key, factors);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(rotatedQuery, rotatedKey);
    }
}
