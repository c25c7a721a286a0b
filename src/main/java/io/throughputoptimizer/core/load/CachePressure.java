package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.function.DoubleFunction;

/// Prefix cache hits of conversation turns in the KV cache of a rank.
///
/// Running requests take `b u(I + g)` of the `K` cache tokens; the rest holds the cached prefixes of earlier
/// turns and evicts the oldest first (LRU). Turns end at rate `lambda` per millisecond. The next turn arrives
/// `w + x` later, with `x` exponentially distributed with mean `Z` (think time) and `w` the time that it waits
/// to run. Of the entries of turn `j`, the next turn reuses `r_j` tokens, and `e_j` are never reused: dropped
/// thinking and the output behind it, and all of the last turn. Entries of age `T` are just about to be evicted
/// when all entries together fill the free cache (Che's approximation):
///
///     room = lambda sum_j(r_j E[min(w + x, T)] + e_j T) / n
///     found = P(w + x < T) = 1 - exp(-(T - w) / Z)
///
/// `lambda` and `w` depend on the cost of prompts, and so on `found`: a bisection finds the share that
/// satisfies both. With think time 0 the next turn always finds the entries.
public final class CachePressure {
    private static final int HALVINGS = 50;

    private final Conversation conversation;
    private final TurnCaches caches;

    /// Creates a model of one rank.
    ///
    /// @param use cache use of a request
    /// @param cacheTokens cache of the rank, `K`; infinity without a known limit
    public CachePressure(Conversation conversation, CacheUse use, double cacheTokens) {
        this.conversation = conversation;
        this.caches = TurnCaches.of(conversation, PrefixCacheRetention.PROMPT_AND_ANSWER, use, cacheTokens);
    }

    /// Returns the figures at the hit share that they themselves imply, with their cache statistics.
    ///
    /// @param at figures by the share of turns that hit the cache, from 0 to 1
    public SteadyFigures settled(DoubleFunction<SteadyFigures> at) {
        if (!conversation.keepsCache()) {
            return kept(at.apply(0), 0);
        }
        SteadyFigures all = at.apply(1);
        if (conversation.turns() == 1 || conversation.thinkMillis() == 0 || found(all, 1) == 1) {
            return kept(all, 1);
        }
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (found(at.apply(middle), middle) > middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return kept(at.apply(low), low);
    }

    private SteadyFigures kept(SteadyFigures figures, double found) {
        return caches.kept(figures, found, found, caches.thinking(figures), room(figures));
    }

    private double room(SteadyFigures figures) {
        return caches.room(figures.steps().running());
    }

    /// Returns the share of turns that hit the cache under the given figures.
    ///
    /// @param share share of hits that the figures assume
    private double found(SteadyFigures figures, double share) {
        if (caches.cacheTokens() == Double.POSITIVE_INFINITY) {
            return 1;
        }
        double perMilli = figures.requestsPerSecond() / 1000;
        double away = away(figures);
        return early(age((room(figures) - caches.half(share)) / perMilli, away), away);
    }

    /// Returns the time from the end of a turn to the start of the next one, without think time.
    private static double away(SteadyFigures figures) {
        SteadyFigures.Steps steps = figures.steps();
        return (figures.concurrency() - steps.running())
                / steps.running()
                * (steps.prefillMillis() + figures.outputTokens() * figures.tpotMillis());
    }

    /// Returns the share of turns that arrive before their entries reach an age.
    private double early(double age, double away) {
        return -Math.expm1(-Math.max(0, age - away) / conversation.thinkMillis());
    }

    /// Returns the age at which entries are evicted, `T`, in ms.
    ///
    /// @param filled free tokens over the turns that end in a millisecond
    private double age(double filled, double away) {
        double low = 0;
        double high = Math.max(0, filled) / caches.dead();
        for (int i = 0; i < HALVINGS; i++) {
            double age = (low + high) / 2;
            double idle = Math.min(age, away) + conversation.thinkMillis() * early(age, away);
            if (caches.useful() * idle + caches.dead() * age < filled) {
                low = age;
            } else {
                high = age;
            }
        }
        return (low + high) / 2;
    }
}
