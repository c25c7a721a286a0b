package io.throughputoptimizer.core.replica;

import io.throughputoptimizer.core.silicon.RequestBytes;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import io.throughputoptimizer.core.workload.ContextRoom;
import io.throughputoptimizer.core.workload.Phase;
import java.util.function.LongPredicate;

/// What fits the KV cache of a rank on a measured device: `B` requests of `n` tokens where `K / u(n) >= B`, with `K`
/// tokens of cache of which each takes `u(n)` ([CacheUse]). Instances that prefill hold the prompt that they work on.
///
/// @param kvTokens that the cache holds, `K`; 0 or less where the weights leave no room
/// @param memory of a rank, which says what a request takes
/// @param phase that the instance does
public record CacheRoom(double kvTokens, SiliconMemory memory, Phase phase) implements ContextRoom {
    @Override
    public long longest(long requests) {
        long held = phase == Phase.PREFILL ? 1 : requests;
        RequestBytes request = memory.request();
        double each = kvTokens * memory.cacheBytesPerToken() / held - request.constant();
        double inWindow = each / (request.perToken() + request.perWindowToken());
        double met = inWindow <= request.window()
                ? inWindow
                : (each - request.perWindowToken() * request.window()) / request.perToken();
        return settled(met, LONGEST, tokens -> fits(held, tokens));
    }

    @Override
    public long most(long tokens) {
        long held = settled(kvTokens / use(tokens), MOST, requests -> fits(requests, tokens));
        return phase == Phase.PREFILL ? Math.min(1, held) : held;
    }

    private boolean fits(long requests, long tokens) {
        return kvTokens / use(tokens) >= requests;
    }

    private double use(long tokens) {
        return memory.cacheUse().of(tokens);
    }

    /// The whole number below, whatever was rounded on the way to it.
    private static long settled(double met, long most, LongPredicate fits) {
        long number = (long) Math.clamp(Math.floor(met), 0, most);
        while (number < most && fits.test(number + 1)) {
            number++;
        }
        while (number > 0 && !fits.test(number)) {
            number--;
        }
        return number;
    }
}
