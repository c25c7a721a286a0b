package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Root-mean-square norm of each value head, times an activated gate.
///
/// Reads values, gates and the weight, writes as many values; 13 general operations in float32 for each.
///
/// @param values `[S, hv dv]`
/// @param gates the same
/// @param weight `[dv]`
/// @param result the same as `values`
public record GatedNorm(Tensor values, Tensor gates, Tensor weight, Tensor result) implements DeviceOperator {
    private static final int OPERATIONS = 13;

    @Override
    public String name() {
        return "tensor_cast.linear_attn_gated_rmsnorm.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(values, gates, weight);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.moving(inputs(), outputs())
                .withGeneral(DataType.FLOAT32, values.elements().times(OPERATIONS));
    }
}
