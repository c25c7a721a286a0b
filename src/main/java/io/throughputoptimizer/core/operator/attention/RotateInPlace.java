package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Turns the last elements of each head in place, or turns them back.
///
/// Reads both tables, writes the turned elements and changes them in place (8 bytes each); 5 general operations in
/// float32 for each, and one for each factor that is negated to turn back.
///
/// @param values `[1, S, heads, D]` or `[1, S, D]`
/// @param cosines `[1, S, width]`
/// @param sines the same
/// @param turned elements of a head
/// @param back whether they are turned back
public record RotateInPlace(Tensor values, Tensor cosines, Tensor sines, long turned, boolean back)
        implements DeviceOperator {
    private static final int BYTES_IN_PLACE = 8;
    private static final int OPERATIONS = 5;

    @Override
    public String name() {
        return "tensor_cast.apply_rope_inplace.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(values, cosines, sines);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of();
    }

    @Override
    public OperatorWork work() {
        Form elements = values.withLast(turned).elements();
        Form read = cosines.bytes().plus(sines.bytes()).plus(elements.times(BYTES_IN_PLACE));
        Form negated = back ? sines.elements() : Form.ZERO;
        return OperatorWork.memory(read, Tensor.bytes(values.type(), elements))
                .withGeneral(DataType.FLOAT32, elements.times(OPERATIONS).plus(negated));
    }
}
