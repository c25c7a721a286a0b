package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.silicon.OperatorTime;
import java.util.List;

/// A layout at its best concurrency.
///
/// @param at what it delivers there
/// @param steps what a decode step and a prompt consist of
/// @param cacheTokens that the KV cache of a rank holds
public record FleetRow(FleetPoint at, Steps steps, double cacheTokens) {

    /// Operators of the two kinds of step.
    public record Steps(List<OperatorTime> decode, List<OperatorTime> prefill) {}
}
