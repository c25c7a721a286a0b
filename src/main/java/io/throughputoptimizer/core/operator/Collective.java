package io.throughputoptimizer.core.operator;

import java.util.List;

/// Communication among the ranks of a group; its time depends on the links between them.
///
/// @param input this rank's share, `M` bytes
/// @param result what this rank holds afterwards
public record Collective(Kind kind, Tensor input, Tensor result, ProcessGroup group) implements Operator {

    /// What is exchanged.
    public enum Kind {
        /// Sums equal tensors; every rank gets the sum.
        ALL_REDUCE("tensor_cast.all_reduce.default"),
        /// Joins the shares of all ranks; every rank gets the whole.
        ALL_GATHER("tensor_cast.all_gather.default"),
        /// Sums equal tensors; every rank gets its share of the sum.
        REDUCE_SCATTER("tensor_cast.reduce_scatter.default");

        private final String operatorName;

        Kind(String operatorName) {
            this.operatorName = operatorName;
        }
    }

    @Override
    public String name() {
        return kind.operatorName;
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
