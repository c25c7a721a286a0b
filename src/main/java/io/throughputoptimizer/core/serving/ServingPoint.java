package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.load.PrefixCacheStats;
import io.throughputoptimizer.core.workload.LengthSamples;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Figures of a deployment at one batch size, whether or not it keeps the limits.
///
/// @param costs costs of each phase that the deployment runs
/// @param prefillChunks pieces that a prompt is cut into; 0 in decode
/// @param mix requests of one data parallel rank by length, in the distribution's order; empty for fixed lengths
public record ServingPoint(Load load, Figures figures, PhaseCosts costs, int prefillChunks, List<LengthSamples> mix) {

    /// Latencies in ms and throughputs, not rounded. A disaggregated phase has only one of the two latencies.
    ///
    /// @param sustainedQps requests a second of the instance that the time of its passes suffices for, whatever the
    ///     accounting makes of TTFT: each request counts with all passes that it takes part in
    /// @param requestLatencyMillis mean end-to-end latency; of a disaggregated phase its part of that
    /// @param kept cached conversations of a rank; null if requests are no turns of conversations
    public record Figures(
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis,
            double tokensPerSecond,
            double tokensPerSecondPerDevice,
            double sustainedQps,
            @Nullable Double requestLatencyMillis,
            @Nullable PrefixCacheStats kept) {

        /// Figures for workloads without conversations.
        public Figures(
                @Nullable Double ttftMillis,
                @Nullable Double tpotMillis,
                double tokensPerSecond,
                double tokensPerSecondPerDevice,
                double sustainedQps,
                @Nullable Double requestLatencyMillis) {
            this(
                    ttftMillis,
                    tpotMillis,
                    tokensPerSecond,
                    tokensPerSecondPerDevice,
                    sustainedQps,
                    requestLatencyMillis,
                    null);
        }

        /// Figures of a point whose evaluation ended at a pass that does not fit in memory.
        static final Figures OUT_OF_MEMORY =
                new Figures(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0, 0, 0, Double.POSITIVE_INFINITY);

        /// Figures of a single phase, without end-to-end latency.
        public Figures(
                @Nullable Double ttftMillis,
                @Nullable Double tpotMillis,
                double tokensPerSecond,
                double tokensPerSecondPerDevice,
                double sustainedQps) {
            this(ttftMillis, tpotMillis, tokensPerSecond, tokensPerSecondPerDevice, sustainedQps, null);
        }

        static Figures of(
                @Nullable Double ttftMillis,
                @Nullable Double tpotMillis,
                double tokensPerSecond,
                double sustainedQps,
                ParallelLayout layout) {
            double perDevice = tokensPerSecond / layout.dp() / layout.pp() / layout.tp();
            return new Figures(ttftMillis, tpotMillis, tokensPerSecond, perDevice, sustainedQps, null);
        }

        /// Returns figures of a prefill instance, whose end-to-end latency is its TTFT.
        static Figures ofPrefill(
                double ttftMillis, double tokensPerSecond, double sustainedQps, ParallelLayout layout) {
            return of(ttftMillis, null, tokensPerSecond, sustainedQps, layout).withRequestLatency(ttftMillis);
        }

        /// Returns a copy with the end-to-end latency, or its part in this phase.
        Figures withRequestLatency(double millis) {
            return new Figures(
                    ttftMillis, tpotMillis, tokensPerSecond, tokensPerSecondPerDevice, sustainedQps, millis, kept);
        }

        /// Returns a copy with the cached conversations, if any.
        Figures withKept(@Nullable PrefixCacheStats caches) {
            return new Figures(
                    ttftMillis,
                    tpotMillis,
                    tokensPerSecond,
                    tokensPerSecondPerDevice,
                    sustainedQps,
                    requestLatencyMillis,
                    caches);
        }

        /// Requests a second where `requests` of them take `millis` of passes; 0 where they take no time.
        static double perSecond(double requests, double millis) {
            return millis > 0 ? 1000 * requests / millis : 0;
        }
    }

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
