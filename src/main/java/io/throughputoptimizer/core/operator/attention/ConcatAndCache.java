package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Stores new compressed keys and values, with their rotated keys behind them, in the paged cache.
///
/// Reads both and the slots, writes both in the cache's type. The cache itself is not read.
///
/// @param keyValue `[S, c]`, in the cache's type
/// @param rotatedKey `[S, r]`, in the cache's type
/// @param cache `[blocks, blockSize, c + r]`
/// @param slots where each token goes, `[S]`, int64
public record ConcatAndCache(Tensor keyValue, Tensor rotatedKey, Tensor cache, Tensor slots) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.concat_and_cache_mla.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(keyValue, rotatedKey, cache, slots);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of();
    }

    @Override
    public OperatorWork work() {
        Form written = keyValue.bytes().plus(rotatedKey.bytes());
        return OperatorWork.memory(written.plus(slots.bytes()), written);
    }
}
