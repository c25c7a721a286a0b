package io.throughputoptimizer.core.operator;

import java.util.List;

/// The `k` largest of each row and where they are; memory traffic alone.
///
/// @param input `[n, E]`
/// @param values `[n, k]`, in the input's type
/// @param indices `[n, k]`, int64
public record TopK(Kind kind, Tensor input, Tensor values, Tensor indices) implements DeviceOperator {

    /// What is picked from.
    public enum Kind {
        /// The values as they are.
        PLAIN("aten.topk.default"),
        /// Their softmax, fused: the gate of experts from raw logits.
        SOFTMAX("tensor_cast.moe_gating_top_k_softmax.default");

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
        return List.of(values, indices);
    }
}
