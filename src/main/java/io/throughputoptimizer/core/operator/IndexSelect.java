package io.throughputoptimizer.core.operator;

import java.util.List;

/// Gathers rows in an eager graph, where only the rows taken are read.
///
/// `reads = bytes(indices) + n * bytes(source row)`, `writes = bytes(result)`, with `n` indices.
///
/// @param source `[sourceRows, width]` or `[1, sourceRows, width]`
/// @param indices rows to take `[n]`, int64
/// @param result the rows taken
public record IndexSelect(Tensor source, Tensor indices, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        return "aten.index_select.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(source, indices);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        Form taken = Tensor.bytes(source.type(), indices.elements().times(source.last()));
        return OperatorWork.memory(indices.bytes().plus(taken), result.bytes());
    }
}
