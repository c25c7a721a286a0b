package io.throughputoptimizer.core.operator;

import java.util.List;

/// Gated activation `silu(gate) * up`, fused; memory traffic alone: the reference charges no arithmetic.
///
/// @param gate `[..., width]`
/// @param up the same shape
/// @param result the same shape
public record SwiGlu(Tensor gate, Tensor up, Tensor result) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.swiglu.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(gate, up);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }
}
