package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.replica.SimulatedReplicas;
import io.throughputoptimizer.core.silicon.OperatorTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A layout at its best concurrency.
///
/// @param at what it delivers there
/// @param steps what a decode step and a prompt consist of
/// @param cacheTokens that the KV cache of a rank holds
/// @param simulation of one rank at that concurrency, or at the rate that was asked for; absent unless asked for
public record MeasuredRow(
        MeasuredPoint at, Steps steps, double cacheTokens, SimulatedReplicas.@Nullable Outcome simulation)
        implements ServedRow {

    /// Operators of the two kinds of step.
    public record Steps(List<OperatorTime> decode, List<OperatorTime> prefill) {}
}
