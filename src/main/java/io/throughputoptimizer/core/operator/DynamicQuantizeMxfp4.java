package io.throughputoptimizer.core.operator;

import java.util.List;

/// Quantizes to MXFP4: a 4-bit payload and one 8-bit scale per block of a row.
///
/// Arithmetic: `2 n(input) + n(scale)` general operations in the input's type.
///
/// @param input `[..., K]`, float16
/// @param result `[..., K]`, int4 payload
/// @param scale `[..., ceil(K / blockSize)]`
public record DynamicQuantizeMxfp4(Tensor input, Tensor result, Tensor scale) implements DeviceOperator {
    @Override
    public String name() {
        return "tensor_cast.dynamic_quantize_mxfp4.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(input);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result, scale);
    }

    @Override
    public OperatorWork work() {
        return OperatorWork.moving(inputs(), outputs())
                .withGeneral(input.type(), input.elements().times(2).plus(scale.elements()));
    }
}
