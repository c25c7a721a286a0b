package io.throughputoptimizer.core.operator;

import java.util.List;

/// Gathers rows in an eager graph, where only the rows taken are read.
///
/// `reads = bytes(indices) + bytes(source) * n / sourceRows`, `writes = bytes(result)`, with `n` indices.
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
        long sourceRows = source.size(source.rank() - 2);
        double taken = source.bytes() * indices.elements() / sourceRows;
        return OperatorWork.memory(indices.bytes() + taken, result.bytes());
    }
}
