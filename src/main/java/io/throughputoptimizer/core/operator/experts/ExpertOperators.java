package io.throughputoptimizer.core.operator.experts;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Operators of routed experts that nothing tells apart but what they read, write and compute.
public final class ExpertOperators {
    /// General operations for each element of a fused gated activation.
    static final double GATED_OPERATIONS = 7;

    private ExpertOperators() {}

    /// Repeats each token `[n, h]` once for each of its experts and sorts the copies `[n k, h]` by expert;
    /// memory traffic alone.
    ///
    /// @param indices experts of each token `[n, k]`, int64
    public static DeviceOperator initRouting(Tensor tokens, Tensor indices, Tensor result) {
        return DeviceOperator.of("tensor_cast.init_routing_v2.default", List.of(tokens, indices), List.of(result));
    }

    /// Undoes [#initRouting]: results of experts `[n k, h]`, sorted by expert, are sorted by token again,
    /// `[n, k, h]`; memory traffic alone.
    ///
    /// @param indices experts of each token `[n, k]`, int64
    public static DeviceOperator unpermuteTokens(Tensor tokens, Tensor indices, Tensor result) {
        return DeviceOperator.of("tensor_cast.unpermute_tokens.default", List.of(tokens, indices), List.of(result));
    }

    /// Products of several experts in one operator, not quantized: each of `x` experts multiplies its own rows,
    /// `R` of them in all, by its own weight `[K, N]`.
    ///
    /// Reads the rows `[R, K]` and all weights `[x, K, N]`, writes the result `[R, N]`; `2 R N K` matrix
    /// operations in the operands' type.
    public static DeviceOperator groupedMatMul(Tensor rows, Tensor weights, Tensor result) {
        return products("tensor_cast.grouped_matmul.default", rows, weights, result);
    }

    /// The products of [#groupedMatMul] with `silu(gate) * up` of the two halves fused: the result `[R, I]` is
    /// half as wide, `I = N / 2`, and `7 R I` general operations in float16 are added.
    public static DeviceOperator groupedMatMulSwiGlu(Tensor rows, Tensor weights, Tensor result) {
        return products("tensor_cast.grouped_matmul_swiglu.default", rows, weights, result)
                .withGeneral(DataType.FLOAT16, result.elements().times(GATED_OPERATIONS));
    }

    private static DeviceOperator.Plain products(String name, Tensor rows, Tensor weights, Tensor result) {
        return DeviceOperator.of(name, List.of(rows, weights), List.of(result))
                .withMatrix(rows.type(), rows.elements().times(2 * weights.last()));
    }
}
