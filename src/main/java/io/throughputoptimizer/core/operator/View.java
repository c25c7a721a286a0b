package io.throughputoptimizer.core.operator;

import java.util.List;

/// Other shapes of the same memory (view, split, permute, transpose, slice, select, detach): free. To the
/// memory ledger each result is an alias of the source.
///
/// @param source any tensor
/// @param results one or more tensors that share its memory
public record View(Tensor source, List<Tensor> results) implements Operator {
    public View {
        results = List.copyOf(results);
    }

    @Override
    public String name() {
        return "aten.view.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(source);
    }

    @Override
    public List<Tensor> outputs() {
        return results;
    }
}
