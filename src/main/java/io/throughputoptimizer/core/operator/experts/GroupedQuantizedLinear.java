package io.throughputoptimizer.core.operator.experts;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.QuantizedLinear;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// [QuantizedLinear] of several experts in one operator: each of `x` experts multiplies its own rows, `R` of them
/// in all, by its own weight `[K, N]`.
///
/// Reads the rows, all weights and, once for every expert, a scale of the rows and one of the weight: under MXFP4
/// the reference charges each expert the scales of *all* rows. Writes the result. Arithmetic: `2 R N K` matrix
/// operations in the rows' type, or that of FP8 weights; packed weights add `x K N` general operations in float32. A
/// fused gated
/// activation halves the result, `I = N / 2`, and adds `7 R I` general operations in float16; under MXFP4 the
/// following quantization is fused too, and `9 R I + n(result scale)` are added instead.
///
/// @param rows `[R, K]`
/// @param weights `[x, K, N]`, or packed `[x, K / 2, N]`
/// @param scales of rows and weights
/// @param gated whether `silu(gate) * up` of the two halves is fused
/// @param result what is written
public record GroupedQuantizedLinear(
        QuantizedLinear.Kind kind, Tensor rows, Tensor weights, Scales scales, boolean gated, Result result)
        implements DeviceOperator {

    /// @param rows a scalar, or one value a block of all rows
    /// @param weights a scalar that all share, or the blocks of all experts
    public record Scales(Tensor rows, Tensor weights) {}

    /// @param values `[R, N]`, or `[R, N / 2]` when gated
    /// @param scale present when the result is quantized again
    public record Result(Tensor values, @Nullable Tensor scale) {}

    @Override
    public String name() {
        String stem = switch (kind) {
            case INT8 -> "quant";
            case INT4 -> "quant_int4";
            case FP8 -> "fp8";
            case MXFP4 -> "mxfp4";
        };
        String fused = gated ? "_swiglu" : "";
        return "tensor_cast.grouped_matmul_" + stem + fused + (result.scale == null ? "" : "_quant") + ".default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(rows, weights, scales.rows, scales.weights);
    }

    @Override
    public List<Tensor> outputs() {
        return Stream.concat(Stream.of(result.values), Stream.ofNullable(result.scale))
                .toList();
    }

    @Override
    public OperatorWork work() {
        Form experts = weights.size(0);
        Form weightScales =
                kind == QuantizedLinear.Kind.MXFP4 ? scales.weights.bytes() : experts.times(scales.weights.bytes());
        Form read = rows.bytes()
                .plus(weights.bytes())
                .plus(experts.times(scales.rows.bytes()))
                .plus(weightScales);
        OperatorWork work = OperatorWork.memory(read, OperatorWork.totalBytes(outputs()))
                .withMatrix(
                        kind == QuantizedLinear.Kind.FP8 ? weights.type() : rows.type(),
                        rows.elements().times(2 * weights.last()));
        if (kind == QuantizedLinear.Kind.INT4) {
            work = work.withGeneral(DataType.FLOAT32, experts.times(rows.last() * weights.last()));
        }
        return gated ? work.withGeneral(DataType.FLOAT16, gatedOperations()) : work;
    }

    private Form gatedOperations() {
        Form elements = result.values.elements();
        return result.scale == null
                ? elements.times(ExpertOperators.GATED_OPERATIONS)
                : elements.times(ExpertOperators.GATED_OPERATIONS + 2).plus(result.scale.elements());
    }
}
