package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;

/// Reciprocal root-mean-square of each token over all its residual streams.
///
/// Reads the streams, changes 8 bytes an element in place, writes a number for each token; 6 general operations in
/// float32 for each element.
///
/// @param streams `[1, S, c h]`
/// @param result `[1, S, 1]`, float32
public record StreamNorm(Tensor streams, Tensor result) implements DeviceOperator {
    private static final int BYTES_IN_PLACE = 8;
    private static final int OPERATIONS = 6;

    @Override
    public String name() {
        return "tensor_cast.hc_pre_inv_rms.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(streams);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        Form elements = streams.elements();
        return OperatorWork.memory(streams.bytes().plus(elements.times(BYTES_IN_PLACE)), result.bytes())
                .withGeneral(DataType.FLOAT32, elements.times(OPERATIONS));
    }
}
