package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Rotates keys and queries by their positions, fused.
///
/// Reads keys, queries and both tables, writes the rotated ones; `3 (n(query) + n(key))` general operations
/// in float16.
///
/// @param key `[1, hk, S, D]`
/// @param query `[1, hq, S, D]`
/// @param cosines `[1, S, D]`
/// @param sines `[1, S, D]`
/// @param rotatedKey `[1, S, hk, D]`
/// @param rotatedQuery `[1, S, hq, D]`
public record ApplyRope(Tensor key, Tensor query, Tensor cosines, Tensor sines, Tensor rotatedKey, Tensor rotatedQuery)
        implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.apply_rope.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(key, query, cosines, sines);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(rotatedKey, rotatedQuery);
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.moving(inputs(), outputs())
                .withGeneral(
                        DataType.FLOAT16, query.elements().plus(key.elements()).times(3));
    }
}
