package io.throughputoptimizer.core.operator;

import java.util.List;

/// Gathers rows in a compiled graph, where the reference charges the whole source.
///
/// `reads = bytes(source) + bytes(indices)`, `writes = bytes(result)`.
///
/// @param source `[rows, width]` or `[1, rows, width]`
/// @param indices rows to take, int64
/// @param result the rows taken
public record Index(Tensor source, Tensor indices, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        return "aten.index.Tensor";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(source, indices);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }
}
