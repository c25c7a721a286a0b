package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.measured.MeasuredRow.Steps;
import org.jspecify.annotations.Nullable;

/// Prefill instances that feed decode instances, at their best concurrency.
///
/// @param at what they deliver there
/// @param steps what a decode step and a prompt consist of
/// @param cacheTokens that the KV cache of a decode rank holds
/// @param idle devices that do not work, of all kinds
/// @param most the same layouts in the numbers that serve most on the devices available; absent where its own do
public record PairRow(
        PairPoint at,
        Steps steps,
        double cacheTokens,
        int idle,
        @Nullable PairPoint most) implements ServedRow {

    PairRow withMost(PairPoint other) {
        boolean more = other.figures().requestsPerSecond() > at.figures().requestsPerSecond();
        return new PairRow(at, steps, cacheTokens, idle, more ? other : null);
    }
}
