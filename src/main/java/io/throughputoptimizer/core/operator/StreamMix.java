package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;

/// Weights of a token's mixtures from their raw values, and the mixture of its residual streams that a part of
/// a layer takes. The weights among the `c` streams are normalized by rows and columns in `t` rounds.
///
/// Reads raw values, streams, scales and biases, writes the mixture and the weights, and changes `8 S h` bytes
/// in place. General operations in float32: `S (3 c + 2 c^2) + S (5 c^2 + 2 c) + S (t - 1) (6 c^2 + 2 c) + 2 S
/// c h`, in float16 `S h`.
///
/// @param raw `[1, S, (2 + c) c]`, float32
/// @param streams `[1, S, c h]`
/// @param scales `[3]`, float32
/// @param biases `[(2 + c) c]`, float32
/// @param rounds `t`
/// @param mixture `[1, S, h]`
/// @param out weights with which the part's result goes to each stream, `[1, S, c]`, float32
/// @param among weights among the streams, `[1, S, c c]`, float32
public record StreamMix(
        Tensor raw, Tensor streams, Tensor scales, Tensor biases, int rounds, Tensor mixture, Tensor out, Tensor among)
        implements DeviceOperator {
    private static final int BYTES_IN_PLACE = 8;

    @Override
    public String name() {
        return "tensor_cast.hc_pre_sinkhorn.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(raw, streams, scales, biases);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(mixture, out, among);
    }

    @Override
    public OperatorWork work() {
        Form tokens = streams.size(1);
        double count = out.last();
        double weights = 3 * count + 2 * count * count;
        double first = 5 * count * count + 2 * count;
        double round = 6 * count * count + 2 * count;
        Form read = OperatorWork.totalBytes(inputs()).plus(mixture.elements().times(BYTES_IN_PLACE));
        return OperatorWork.memory(read, OperatorWork.totalBytes(outputs()))
                .withGeneral(
                        DataType.FLOAT32,
                        tokens.times(weights + first + (rounds - 1) * round)
                                .plus(streams.elements().times(2)))
                .withGeneral(DataType.FLOAT16, mixture.elements());
    }
}
