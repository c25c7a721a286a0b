package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.LinearAttention;

/// Linear attention as one operator, on input that is not quantized.
final class OpaqueDeltaAttention implements AttentionBlock {
    private final DeltaShard shard;
    private final boolean recurrent;
    private final PassRecorder pass;

    OpaqueDeltaAttention(DeltaShard shard, boolean recurrent, PassRecorder pass) {
        this.shard = shard;
        this.recurrent = recurrent;
        this.pass = pass;
    }

    @Override
    public Tensor record(Activation input, LayerInputs inputs) {
        Tensor hidden = input.values();
        long projected = shard.channels() + 2 * shard.valueWidth() + 2 * shard.valueHeads();
        return pass.add(new LinearAttention(
                hidden,
                Tensor.of(DataType.INT64, TOKENS.form()),
                projected,
                shard.channels(),
                shard.kernel(),
                shard.heads(),
                shard.method(recurrent),
                hidden.sameShape()));
    }

    @Override
    public boolean takesQuantized() {
        return false;
    }

    @Override
    public DeltaShard shard() {
        return shard;
    }
}
