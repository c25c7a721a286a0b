package io.throughputoptimizer.core.replica;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.workload.ContextRoom;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Optional;
import java.util.function.LongPredicate;

/// Requests that fit the KV cache of a rank: the engine admits the longest, and the cache holds all. The server
/// starts with their number as its maximum sequences. Prefill instances hold the prompt that they compute.
///
/// @param phase phase of the instance
public record CacheRoom(CalibratedDeployment deployment, Phase phase) implements ContextRoom {
    @Override
    public long longest(long requests) {
        long held = phase == Phase.PREFILL ? 1 : requests;
        return largest(LONGEST, tokens -> fits(held, tokens));
    }

    @Override
    public long most(long tokens) {
        return largest(phase == Phase.PREFILL ? 1 : MOST, requests -> fits(requests, tokens));
    }

    private boolean fits(long requests, long tokens) {
        Double stated = deployment.engine().memorySettings().kvTokens();
        if (stated != null && !CalibratedMemory.isSpecified(deployment)) {
            return stated / RankLimits.statedUse(deployment).of(tokens) >= requests;
        }
        RankMemory memory = memory(requests, tokens);
        return memory.starts() && memory.requestsHeld(tokens) >= requests;
    }

    /// Returns the memory of a rank for `requests` requests of `tokens` tokens.
    public RankMemory memory(long requests, long tokens) {
        return RankLimits.memory(deployment, phase, (int) Math.min(requests, Integer.MAX_VALUE), tokens);
    }

    /// Returns the memory of a rank that serves the most requests of `tokens` tokens, at least one; empty if
    /// the engine's memory model does not cover it.
    ///
    /// @param most result of [#most]
    public Optional<RankMemory> memoryAtMost(long most, long tokens) {
        return CalibratedMemory.isSpecified(deployment)
                ? Optional.of(memory(Math.max(1, most), tokens))
                : Optional.empty();
    }

    private static long largest(long most, LongPredicate fits) {
        long low = 0;
        long high = most + 1;
        while (high - low > 1) {
            long tried = low + (high - low) / 2;
            if (fits.test(tried)) {
                low = tried;
            } else {
                high = tried;
            }
        }
        return low;
    }
}
