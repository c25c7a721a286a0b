package io.throughputoptimizer.core.operator;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A norm fused with the quantization of its result, and, when there is a residual, with its addition before;
/// memory traffic alone: the reference charges no arithmetic.
///
/// @param input `[1, S, h]`: what is normalized, or the residual it is added to
/// @param addition what is added first, and the sum; absent for the norm alone
/// @param weight `[h]`
/// @param result quantized activation `[1, S, h]`
/// @param scale its scale: read when static, else written
public record NormQuantize(
        Kind kind, Tensor input, @Nullable Addition addition, Tensor weight, Tensor result, Tensor scale)
        implements DeviceOperator {

    /// How the result is quantized.
    public enum Kind {
        STATIC("rms_norm_quant"),
        DYNAMIC("rms_norm_dynamic_quant"),
        MXFP4("rms_norm_dynamic_quant");

        private final String stem;

        Kind(String stem) {
            this.stem = stem;
        }

        private String suffix() {
            return switch (this) {
                case STATIC -> "";
                case DYNAMIC -> "_symmetric";
                case MXFP4 -> "_mxfp4";
            };
        }
    }

    /// @param input what is added to the residual
    /// @param sum the new residual
    public record Addition(Tensor input, Tensor sum) {}

    @Override
    public String name() {
        String fused = addition == null ? kind.stem : "add_" + kind.stem + "2";
        return "tensor_cast." + fused + kind.suffix() + ".default";
    }

    @Override
    public List<Tensor> inputs() {
        List<Tensor> inputs = new ArrayList<>();
        inputs.add(input);
        if (addition != null) {
            inputs.add(addition.input());
        }
        inputs.add(weight);
        if (kind == Kind.STATIC) {
            inputs.add(scale);
        }
        return inputs;
    }

    @Override
    public List<Tensor> outputs() {
        List<Tensor> outputs = new ArrayList<>();
        outputs.add(result);
        if (kind != Kind.STATIC) {
            outputs.add(scale);
        }
        if (addition != null) {
            outputs.add(addition.sum());
        }
        return outputs;
    }
}
