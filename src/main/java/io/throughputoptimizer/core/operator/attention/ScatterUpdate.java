package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Stores rows in a cache; memory traffic of the rows alone.
///
/// @param rows `[1, n, D]`
/// @param cache `[blocks, blockSize, D]`
public record ScatterUpdate(Tensor rows, Tensor cache) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.scatter_nd_update_mla.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(rows, cache);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of();
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.memory(rows.bytes(), rows.bytes());
    }
}
