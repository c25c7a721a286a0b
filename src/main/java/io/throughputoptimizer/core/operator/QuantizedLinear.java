package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Linear layer on quantized operands: `[M, K] x [K, N] -> [M, N]` in float16.
///
/// Reads the operands, both scales and the bias, writes the result. Arithmetic: `2 M N K` matrix operations
/// in the activation's type, or that of FP8 weights, of packed weights by their own `K`; [Kind#INT4] adds `K N` general
/// operations in
/// float32 to unpack the weights; a
/// bias adds `M N` general operations in float16.
///
/// @param input activation `[M, K]`; wider where the weight is split over ranks and the input is not
/// @param weight `[K, N]`, or packed `[K / 2, N]`
/// @param inputScale scale of the activation: a scalar, or one value a block
/// @param weightScale scale of the weight; for merged MXFP4 layers that of the first part alone
/// @param bias `[N]` or absent
/// @param result `[M, N]`
public record QuantizedLinear(
        Kind kind,
        Tensor input,
        Tensor weight,
        Tensor inputScale,
        Tensor weightScale,
        @Nullable Tensor bias,
        Tensor result)
        implements DeviceOperator {

    /// How the weight is stored.
    public enum Kind {
        INT8("tensor_cast.static_quant_linear.default"),
        /// Two weights packed in a byte.
        INT4("tensor_cast.static_quant_linear_int4.default"),
        FP8("tensor_cast.fp8_linear.default"),
        MXFP4("tensor_cast.mxfp4_linear.default");

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
        boolean inputFirst = kind == Kind.MXFP4;
        Tensor first = inputFirst ? inputScale : weightScale;
        Tensor second = inputFirst ? weightScale : inputScale;
        return bias == null ? List.of(input, weight, first, second) : List.of(input, weight, first, second, bias);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        OperatorWork work = OperatorWork.moving(inputs(), outputs())
                .withMatrix(
                        kind == Kind.FP8 ? weight.type() : input.type(),
                        result.elements().times(2 * (kind == Kind.INT4 ? unpackedWidth() : input.last())));
        if (kind == Kind.INT4) {
            work = work.withGeneral(DataType.FLOAT32, Form.of((double) unpackedWidth() * result.last()));
        }
        return bias == null ? work : work.withGeneral(DataType.FLOAT16, result.elements());
    }

    /// `K` of the weight, which is narrower than the input where only the weight is split over ranks.
    private long unpackedWidth() {
        long rows = weight.fixedSize(0);
        return input.last() / 2 == rows ? input.last() : 2 * rows;
    }
}
