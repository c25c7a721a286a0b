package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.workload.LengthSamples;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Figures of a deployment at one batch size, whether or not it keeps the limits.
///
/// @param figures latencies and throughputs, not rounded
/// @param costs costs of each phase that the deployment runs
/// @param prefillChunks pieces that a prompt is cut into; 0 in decode
/// @param mix requests of one data parallel rank by length, in the distribution's order; empty for fixed lengths
public record ServingPoint(Load load, Figures figures, PhaseCosts costs, int prefillChunks, List<LengthSamples> mix) {

    /// Cost of the passes of one phase.
    ///
    /// @param shares shares of the time by bottleneck
    /// @param memory footprint of the pass that leaves least memory
    public record PhaseCost(BoundShares shares, MemoryFootprint memory) {}

    /// Costs by phase, at least one of them.
    public record PhaseCosts(
            @Nullable PhaseCost prefill, @Nullable PhaseCost decode) {
        public PhaseCosts {
            if (prefill == null && decode == null) {
                throw new IllegalArgumentException("neither prefill nor decode has a cost: one of them is needed");
            }
        }

        static PhaseCosts ofPrefill(BoundShares shares, MemoryFootprint memory) {
            return new PhaseCosts(new PhaseCost(shares, memory), null);
        }

        static PhaseCosts ofDecode(BoundShares shares, MemoryFootprint memory) {
            return new PhaseCosts(null, new PhaseCost(shares, memory));
        }

        /// Memory of the pass that leaves least; prefill's when both leave the same.
        public MemoryFootprint memory() {
            if (decode == null) {
                return Objects.requireNonNull(prefill).memory();
            }
            if (prefill == null) {
                return decode.memory();
            }
            return decode.memory().availableBytes() < prefill.memory().availableBytes()
                    ? decode.memory()
                    : prefill.memory();
        }
    }

    public ServingPoint {
        mix = List.copyOf(mix);
    }
}
