package io.throughputoptimizer.core.deployment;

import org.jspecify.annotations.Nullable;

/// Parallel sizes of one instance: `tp * pp * dp` devices in total, with tensor parallel ranks adjacent.
///
/// @param tp tensor parallel size: devices that share each layer
/// @param pp pipeline parallel size; the search keeps it at 1
/// @param dp data parallel size: ranks that process separate requests
/// @param dcp decode context parallel size: neighbors within a tensor parallel group that share the KV cache of
///     a sequence; it adds no devices
/// @param experts layout of routed experts; null for dense models
public record ParallelLayout(
        int tp, int pp, int dp, int dcp, @Nullable ExpertLayout experts) {

    /// Layout of the routed experts over all devices: `ep * moeTp * moeDp` equals their number.
    ///
    /// @param ep expert parallel size: groups of devices that each own some experts
    /// @param moeTp devices that share each expert
    /// @param moeDp replicas of all experts
    public record ExpertLayout(int ep, int moeTp, int moeDp) {
        public ExpertLayout {
            requirePositive("ep", ep);
            requirePositive("moe_tp", moeTp);
            requirePositive("moe_dp", moeDp);
        }
    }

    public ParallelLayout {
        requirePositive("tp", tp);
        requirePositive("pp", pp);
        requirePositive("dp", dp);
        requirePositive("dcp", dcp);
        if (experts != null && (long) experts.ep * experts.moeTp * experts.moeDp != (long) tp * pp * dp) {
            throw new IllegalArgumentException("ep * moe_tp * moe_dp of " + experts + " is not the device count "
                    + tp * pp * dp + " of tp " + tp + ", pp " + pp + ", dp " + dp);
        }
    }

    /// Creates a layout in which every rank caches whole sequences.
    public ParallelLayout(int tp, int pp, int dp, @Nullable ExpertLayout experts) {
        this(tp, pp, dp, 1, experts);
    }

    /// Creates a layout of a dense model.
    public static ParallelLayout dense(int tp, int dp) {
        return new ParallelLayout(tp, 1, dp, null);
    }

    /// Returns the number of devices of the instance.
    public int deviceCount() {
        return tp * pp * dp;
    }

    /// Returns a copy with another decode context parallel size.
    public ParallelLayout withDcp(int ranks) {
        return new ParallelLayout(tp, pp, dp, ranks, experts);
    }

    /// Returns the text by which results are grouped, such as `TP=2 | PP=1 | DP=4`. It excludes the decode
    /// context parallel size, which is listed with the other options if it is not 1.
    public String label() {
        String dense = "TP=" + tp + " | PP=" + pp + " | DP=" + dp;
        return experts == null
                ? dense
                : dense + " | EP=" + experts.ep + " | MOE-TP=" + experts.moeTp + " | MOE-DP=" + experts.moeDp;
    }

    private static void requirePositive(String field, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException(field + " is " + value + ": a positive whole number is needed");
        }
    }
}
