package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;

/// One residual stream from several, after the last layer, with `c` streams of `h` elements.
///
/// Reads streams, matrix, scale and biases, writes the result and changes `8 S h` bytes in place; `2 S c h c`
/// matrix operations and `7 S c h + 8 S c` general ones in float32.
///
/// @param streams `[1, S, c h]`
/// @param matrix `[c, c h]`, float32
/// @param scale `[1]`, float32
/// @param biases `[c]`, float32
/// @param result `[1, S, h]`
public record StreamHead(Tensor streams, Tensor matrix, Tensor scale, Tensor biases, Tensor result)
        implements DeviceOperator {
    private static final int BYTES_IN_PLACE = 8;
    private static final int OPERATIONS = 7;
    private static final int WEIGHT_OPERATIONS = 8;

    @Override
    public String name() {
        return "tensor_cast.hc_head.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(streams, matrix, scale, biases);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        Form elements = streams.elements();
        double count = biases.last();
        Form read = OperatorWork.totalBytes(inputs()).plus(result.elements().times(BYTES_IN_PLACE));
        return OperatorWork.memory(read, result.bytes())
                .withMatrix(DataType.FLOAT32, elements.times(2 * count))
                .withGeneral(
                        DataType.FLOAT32,
                        elements.times(OPERATIONS).plus(streams.size(1).times(WEIGHT_OPERATIONS * count)));
    }
}
