package io.throughputoptimizer.core.operator;

import java.util.List;

/// A reshape that is free in time but counts as a new tensor to the memory ledger (eager graphs only).
public record UnsafeView(Tensor source, Tensor result) implements Operator {
    @Override
    public String name() {
        return "aten._unsafe_view.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(source);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }
}
