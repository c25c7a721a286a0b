package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Optional;

/// One instance of a model on devices of one kind: all that the cost of a forward pass depends on besides
/// the requests in it.
///
/// @param execution how passes are run
public record Deployment(
        ModelArchitecture model,
        DeviceProfile device,
        ParallelLayout layout,
        QuantizationScheme quantization,
        Execution execution) {

    /// How passes are run.
    ///
    /// @param compiled whether the graph is compiled, which fuses and merges operators
    /// @param mtpTokens draft tokens a decode step predicts besides the next one
    /// @param reservedMemoryBytes memory of each device that is kept free
    public record Execution(boolean compiled, int mtpTokens, double reservedMemoryBytes) {
        public Execution {
            if (mtpTokens < 0) {
                throw new IllegalArgumentException("mtp tokens is " + mtpTokens + ": at least 0 is needed");
            }
            if (!(reservedMemoryBytes >= 0)) {
                throw new IllegalArgumentException(
                        "reserved memory is " + reservedMemoryBytes + " bytes: at least 0 is needed");
            }
        }
    }

    /// Why the model cannot be laid out this way; empty when it can.
    ///
    /// Query heads must divide evenly over the tensor parallel group; key-value heads either divide over it
    /// or are replicated evenly within it.
    public Optional<String> obstacle() {
        return switch (model.attention()) {
            case AttentionSpec.GroupedQuery attention -> headObstacle(attention);
        };
    }

    private Optional<String> headObstacle(AttentionSpec.GroupedQuery attention) {
        int tp = layout.tp();
        if (attention.queryHeads() % tp != 0) {
            return Optional.of(attention.queryHeads() + " query heads do not divide over tp " + tp);
        }
        int keyValueHeads = attention.keyValueHeads();
        boolean even = keyValueHeads >= tp ? keyValueHeads % tp == 0 : tp % keyValueHeads == 0;
        return even
                ? Optional.empty()
                : Optional.of(keyValueHeads + " key-value heads neither divide over tp " + tp + " nor replicate in it");
    }
}
