package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Short causal convolution over the queries, keys and values of a layer with the gated delta rule.
///
/// Reads the tokens and the kernel, writes as many tokens; `2 c k + 6 c` general operations in float16 for each, where
/// each token has `c` channels and the kernel is `k` wide. A step of the recurrent rule also changes `k` columns a
/// token in place.
///
/// @param input `[S, c]`
/// @param kernel `k`; to the memory ledger the `[c, k]` weights are no input
/// @param updates whether the state that the next step needs is kept up to date
/// @param result `[S, c]`
public record CausalConvolution(Tensor input, long kernel, boolean updates, Tensor result) implements DeviceOperator {
    /// Operations of activation and bias for each element.
    private static final int ACTIVATION = 6;

    @Override
    public String name() {
        return updates
                ? "tensor_cast.linear_attn_causal_conv_update.default"
                : "tensor_cast.linear_attn_causal_conv.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(input);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        Form weights = Tensor.half(input.last(), kernel).bytes();
        Form state = updates ? input.bytes().times(kernel) : Form.ZERO;
        return OperatorWork.memory(input.bytes().plus(weights).plus(state), result.bytes())
                .withGeneral(DataType.FLOAT16, input.elements().times(2 * kernel + ACTIVATION));
    }
}
