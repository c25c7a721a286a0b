package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.DELTA_CHUNKS;
import static io.throughputoptimizer.core.operator.Quantity.DELTA_STATES_READ;
import static io.throughputoptimizer.core.operator.Quantity.DELTA_STATES_WRITTEN;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.DeltaRule;
import java.util.List;

/// One rank's share of a layer with the gated delta rule: key and value heads divide over the tensor parallel group.
/// Convolution, gates and norm are stored whole on every rank, as the reference has them.
final class DeltaShard implements AttentionShard {
    private final AttentionSpec.GatedDelta spec;
    private final Deployment deployment;
    private final int ranks;
    private final LinearLayers linears;

    DeltaShard(Deployment deployment, AttentionSpec.GatedDelta spec, LinearLayers linears) {
        this.spec = spec;
        this.deployment = deployment;
        this.linears = linears;
        this.ranks = isOpaque() ? 1 : deployment.layout().tp();
    }

    /// Weights of one layer.
    ///
    /// @param mixed queries, keys and values in one
    /// @param gate gate of the output
    /// @param stepSize raw step sizes of the value heads
    /// @param decay raw decays of the value heads
    record Weights(
            LinearWeight mixed, LinearWeight gate, LinearWeight stepSize, LinearWeight decay, LinearWeight output) {
        double bytes() {
            return mixed.bytes() + gate.bytes() + stepSize.bytes() + decay.bytes() + output.bytes();
        }
    }

    /// Returns whether the block is one operator, whole on every rank. If states count, the block is recorded and
    /// split as it runs.
    boolean isOpaque() {
        return spec.opaque() && !countsStates();
    }

    private boolean countsStates() {
        return deployment.execution().accounting() == PassAccounting.STEADY;
    }

    boolean isCompiled() {
        return deployment.execution().compiled();
    }

    ProcessGroup tensorParallelGroup() {
        return ProcessGroup.contiguous(deployment.layout().tp());
    }

    long keyWidth() {
        return (long) spec.keyHeads() / ranks * spec.size();
    }

    long valueHeads() {
        return spec.valueHeads() / ranks;
    }

    long allValueHeads() {
        return spec.valueHeads();
    }

    long valueWidth() {
        return valueHeads() * spec.size();
    }

    /// Width of this rank's queries, keys and values together.
    long channels() {
        return 2 * keyWidth() + valueWidth();
    }

    long kernel() {
        return spec.kernel();
    }

    long headSize() {
        return spec.size();
    }

    DeltaRule.Heads heads() {
        return new DeltaRule.Heads(valueHeads(), spec.size(), spec.size());
    }

    DeltaRule.Method method(boolean recurrent) {
        return recurrent
                ? new DeltaRule.Recurrent()
                : new DeltaRule.Chunked(DELTA_CHUNKS.form(), DELTA_STATES_READ.form(), DELTA_STATES_WRITTEN.form());
    }

    Weights weights() {
        long hidden = deployment.model().hiddenSize();
        return new Weights(
                linears.weight(hidden, channels()),
                linears.weight(hidden, valueWidth()),
                linears.weight(hidden, valueHeads()),
                linears.weight(hidden, valueHeads()),
                linears.weight(valueWidth(), hidden));
    }

    /// Projections; convolution, two vectors of the value heads and the norm of a head, of all heads.
    @Override
    public double weightBytes() {
        double whole = (double) spec.channels() * spec.kernel() + 2.0 * spec.valueHeads() + spec.size();
        return weights().bytes() + DataType.FLOAT16.bytes(whole);
    }

    /// Returns 0, or for an opaque block the bytes that a layer of full attention caches, as the reference counts.
    @Override
    public double cacheBytesPerToken() {
        return isOpaque()
                ? deployment.model().attentions().stream()
                        .filter(AttentionSpec.GroupedQuery.class::isInstance)
                        .map(AttentionSpec.GroupedQuery.class::cast)
                        .mapToDouble(full ->
                                GroupedQueryShard.of(deployment, full, linears).cacheBytesPerToken())
                        .findFirst()
                        .orElse(0)
                : 0;
    }

    /// State of the rule in float32, and of the convolution in float16.
    @Override
    public double stateBytesPerRequest() {
        return countsStates() ? heads().stateBytes() + DataType.FLOAT16.bytes((double) channels() * kernel()) : 0;
    }

    @Override
    public List<Tensor> weightsSeenAgain() {
        return List.of();
    }
}
