package io.throughputoptimizer.core.operator.experts;

import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `k` largest of each row and where they are; memory traffic alone.
///
/// @param input `[n, E]`
/// @param bias `[E]`, which corrects the choice, or absent
/// @param values `[n, k]`, in the input's type
/// @param indices `[n, k]`, int64
public record TopK(Kind kind, Tensor input, @Nullable Tensor bias, Tensor values, Tensor indices)
        implements DeviceOperator {

    /// What is picked from.
    public enum Kind {
        /// The values as they are.
        PLAIN("aten.topk.default"),
        /// Their softmax, fused: the gate of experts from raw logits.
        SOFTMAX("tensor_cast.moe_gating_top_k_softmax.default"),
        /// Their sigmoid, by corrected values, normalized, fused: the gate of MiniMax-M3.
        SIGMOID("tensor_cast.moe_gating_top_k_sigmoid.default");

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
        return bias == null ? List.of(input) : List.of(input, bias);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(values, indices);
    }
}
