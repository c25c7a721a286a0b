package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// A whole block of linear attention as one operator, as the reference has it for Qwen3-Next: its weights are
/// not read, and it pays one static cost. The arithmetic is that of its parts: projections
/// `2 H (c + 2 hv dv + 2 hv)` a token in float16, [AttentionOperators#causalConvolution],
/// [AttentionOperators#deltaGating], [DeltaRule] and [AttentionOperators#gatedNorm].
///
/// @param input `[1, S, H]`
/// @param positions `[S]`
/// @param projected width of all input projections and the output's together, `c + 2 hv dv + 2 hv`
/// @param channels of the convolution, `c`
/// @param kernel width of the convolution
/// @param result `[1, S, H]`
public record LinearAttention(
        Tensor input,
        Tensor positions,
        long projected,
        long channels,
        long kernel,
        DeltaRule.Heads heads,
        DeltaRule.Method method,
        Tensor result)
        implements DeviceOperator {
    private static final int CONVOLVED = 6;
    private static final int GATED = 7;
    private static final int NORMED = 13;

    @Override
    public String name() {
        return "tensor_cast.linear_attention.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(input, positions);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        Form tokens = positions.elements();
        double count = heads.count();
        OperatorWork work = OperatorWork.moving(inputs(), outputs())
                .withMatrix(DataType.FLOAT16, input.elements().times(2.0 * projected))
                .withGeneral(
                        DataType.FLOAT16,
                        tokens.times(2.0 * channels * kernel + (double) CONVOLVED * channels + 4 * count))
                .withGeneral(
                        DataType.FLOAT32,
                        tokens.times(GATED * count + NORMED * count * heads.valueSize())
                                .plus(count));
        return DeltaRule.arithmetic(work, heads, method, tokens);
    }
}
