package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Stores new keys and values in the paged KV cache.
///
/// `reads = bytes(key) + bytes(value) + bytes(slots)`; `writes` = keys and values in the cache's type. The
/// cache itself is not read.
///
/// @param key `[S, hk D]`
/// @param value `[S, hk D]`
/// @param cache `[2, blocks, blockSize, hk, D]`
/// @param slots where each token goes, `[S]`, int64
public record ReshapeAndCache(Tensor key, Tensor value, Tensor cache, Tensor slots) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.reshape_and_cache.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(key, value, cache, slots);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of();
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.memory(
                key.bytes().plus(value.bytes()).plus(slots.bytes()),
                Tensor.bytes(cache.type(), key.elements().plus(value.elements())));
    }
}
