package io.throughputoptimizer.core.operator;

import java.util.List;
import java.util.Optional;

/// A product whose results are added up over a group of ranks in the same operator: communication hides behind
/// arithmetic or the other way round, so it takes the longer of the two.
///
/// @param product the product by itself
/// @param sum of its results over the group
public record ReducedProduct(DeviceOperator product, Collective sum) implements Operator {
    private static final String OVERLOAD = ".default";

    /// Both as one, where the reference makes one of them: the sum is over the result of a single product, and
    /// no bias is added to one that is not quantized.
    public static Optional<ReducedProduct> of(Operator before, Collective sum) {
        if (sum.kind() != Collective.Kind.ALL_REDUCE) {
            return Optional.empty();
        }
        return switch (before) {
            case QuantizedLinear linear
            when linear.result() == sum.input() -> Optional.of(new ReducedProduct(linear, sum));
            case MatMul product
            when product.result() == sum.input()
                    && product.bias() == null
                    && product.left().rank() == 2 -> Optional.of(new ReducedProduct(product, sum));
            default -> Optional.empty();
        };
    }

    @Override
    public String name() {
        return switch (product) {
            case MatMul _ -> "tensor_cast.matmul_all_reduce.default";
            default -> product.name().replace(OVERLOAD, "_all_reduce" + OVERLOAD);
        };
    }

    @Override
    public List<Tensor> inputs() {
        return product.inputs();
    }

    @Override
    public List<Tensor> outputs() {
        return sum.outputs();
    }
}
