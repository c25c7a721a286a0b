package io.throughputoptimizer.core.operator;

import java.util.List;

/// Looks up token embeddings.
///
/// `reads = bytes(indices) + bytes(result)`, `writes = bytes(result)`: of the table only the rows looked up
/// are read.
///
/// @param table `[V, h]`
/// @param indices token ids `[1, S]`, int64
/// @param result `[1, S, h]`
public record Embedding(Tensor table, Tensor indices, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        return "aten.embedding.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(table, indices);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.memory(indices.bytes().plus(result.bytes()), result.bytes());
    }
}
