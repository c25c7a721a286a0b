package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Stores the index keys of new tokens in their paged cache: reads keys and slots, writes the keys.
///
/// @param keys `[S, 1, D]`
/// @param cache `[blocks, blockSize, D]`
/// @param slots where each token goes, `[S]`, int64
public record CacheIndexKeys(Tensor keys, Tensor cache, Tensor slots) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.siso_reshape_and_cache.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(keys, cache, slots);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of();
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.memory(keys.bytes().plus(slots.bytes()), Tensor.bytes(cache.type(), keys.elements()));
    }
}
