package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;

/// The residual streams after a part of a layer: each the mixture of all, and its share of the part's result.
///
/// Reads result, streams and weights, writes the streams and changes 8 bytes an element in place; general
/// operations: `2 c S c h + 2 S c h` in float32, `S c h` in float16.
///
/// @param added the part's result, `[1, S, h]`
/// @param streams `[1, S, c h]`
/// @param out weights with which it goes to each stream, `[1, S, c]`, float32
/// @param among weights among the streams, `[1, S, c c]`, float32
/// @param result `[1, S, c h]`
public record StreamUpdate(Tensor added, Tensor streams, Tensor out, Tensor among, Tensor result)
        implements DeviceOperator {
    private static final int BYTES_IN_PLACE = 8;

    @Override
    public String name() {
        return "tensor_cast.hc_post.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(added, streams, out, among);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        Form elements = streams.elements();
        Form read = OperatorWork.totalBytes(inputs()).plus(elements.times(BYTES_IN_PLACE));
        return OperatorWork.memory(read, result.bytes())
                .withGeneral(DataType.FLOAT32, elements.times(2 * out.last() + 2))
                .withGeneral(DataType.FLOAT16, elements);
    }
}
