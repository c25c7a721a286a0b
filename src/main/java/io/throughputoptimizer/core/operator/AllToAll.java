package io.throughputoptimizer.core.operator;

import java.util.List;

/// Every rank sends a share of its rows to every other: dispatch of tokens to their experts, and the way back.
///
/// @param input rows of this rank
/// @param result rows it holds afterwards
/// @param exchangedBytes what this rank sends to others or gets from them, whichever is more
public record AllToAll(Tensor input, Tensor result, Form exchangedBytes, ProcessGroup group) implements Operator {
    @Override
    public String name() {
        return "tensor_cast.all_to_all.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(input);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }
}
