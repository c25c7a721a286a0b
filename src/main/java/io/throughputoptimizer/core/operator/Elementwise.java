package io.throughputoptimizer.core.operator;

import java.util.List;

/// An operator priced by the default rule: every operand is read once, the result written once, and no
/// arithmetic is charged.
///
/// @param operands tensors read; a broadcast one counts its stored size
/// @param result what is written
public record Elementwise(Kind kind, List<Tensor> operands, Tensor result) implements DeviceOperator {

    /// What is done with the operands.
    public enum Kind {
        ADD("aten.add.Tensor"),
        ADD_IN_PLACE("aten.add_.Scalar"),
        ARANGE("aten.arange.default"),
        ARGMAX("aten.argmax.default"),
        BITWISE_NOT("aten.bitwise_not.default"),
        CAST("aten._to_copy.default"),
        CLAMP("aten.clamp.default"),
        CLAMP_MINIMUM("aten.clamp_min.default"),
        CLONE("aten.clone.default"),
        CONCATENATE("aten.cat.default"),
        CONCATENATE_EXPERTS("tensor_cast.cat.default"),
        CONVERT("prims.convert_element_type.default"),
        COPY("aten.copy.default"),
        COPY_IN_PLACE("aten.copy_.default"),
        COSINE("aten.cos.default"),
        DIVIDE("aten.div.Tensor"),
        DIVIDE_WHOLE("aten.div.Tensor_mode"),
        EMPTY("aten.empty.memory_format"),
        EQUAL("aten.eq.Scalar"),
        EXPONENTIAL("aten.exp.default"),
        FUSED_GELU("tensor_cast.gelu.default"),
        GATHER("aten.gather.default"),
        GELU("aten.gelu.default"),
        GREATER("aten.gt.Scalar"),
        IOTA("prims.iota.default"),
        LESS("aten.lt.Tensor"),
        LOG_ONE_PLUS("aten.log1p.default"),
        MASKED_FILL("aten.masked_fill.Scalar"),
        MAXIMUM("aten.amax.default"),
        MEAN("aten.mean.dim"),
        MULTIPLY("aten.mul.Tensor"),
        MULTIPLY_IN_PLACE("aten.mul_.Tensor"),
        NEGATE("aten.neg.default"),
        PAD("aten.constant_pad_nd.default"),
        POWER("aten.pow.Tensor_Scalar"),
        PUT("prims.device_put.default"),
        RECIPROCAL_SQUARE_ROOT("aten.rsqrt.default"),
        REPEAT("aten.repeat.default"),
        SCATTER("aten.scatter.value"),
        SCATTER_IN_PLACE("aten.scatter_.value"),
        SELECT_SCATTER("aten.select_scatter.default"),
        SHIFT_TOKEN_IDS("tensor_cast.shift_and_update_input_ids.default"),
        SIGMOID("aten.sigmoid.default"),
        SILU("aten.silu.default"),
        SINE("aten.sin.default"),
        SLICE_SCATTER("aten.slice_scatter.default"),
        SOFTMAX("aten._softmax.default"),
        SOFTPLUS("aten.softplus.default"),
        SQUARE_ROOT("aten.sqrt.default"),
        STACK("aten.stack.default"),
        SUBTRACT("aten.sub.Tensor"),
        SUM("aten.sum.dim_IntList"),
        WHERE("aten.where.self"),
        ZEROS_LIKE("aten.zeros_like.default");

        private final String operatorName;

        Kind(String operatorName) {
            this.operatorName = operatorName;
        }
    }

    public Elementwise {
        operands = List.copyOf(operands);
    }

    @Override
    public String name() {
        return kind.operatorName;
    }

    @Override
    public List<Tensor> inputs() {
        return operands;
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }
}
