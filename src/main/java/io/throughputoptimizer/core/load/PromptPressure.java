package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.function.DoubleFunction;

/// Prefix cache hits of conversation turns in the KV cache of a prefill rank; [CachePressure] models ranks that
/// also generate outputs.
///
/// A prefill rank runs one prompt at a time, and retains it while another rank generates the output: `w` is the
/// time of the whole request, so the next turn never arrives at once. With `k` ranks `lambda` is the total rate
/// over `k`. Turn `j` is evicted as soon as later turns leave no space for its `r_j = u(I_j) - u(s)`, which is
/// sooner for longer prompts; the last of those takes half of itself more than that on average (`h`, see
/// [TurnCaches#half]):
///
///     K - u(s) - r_j + h = lambda / k sum_i(r_i E[min(w + x, T_j)] + e_i T_j) / n
///     found_j = 1 - exp(-(T_j - w) / Z)
final class PromptPressure {
    private static final int MOST_STEPS = 100;
    private static final double SAME_SHARE = 1e-14;

    private final Conversation conversation;
    private final TurnCaches caches;
    private final int ranks;

    /// Hit shares of turns after the first.
    ///
    /// @param turns share of the turns that hit the cache
    /// @param tokens share of all reusable tokens that are found
    private record Found(double turns, double tokens) {
        private static final Found ALL = new Found(1, 1);
        private static final Found NONE = new Found(0, 0);
    }

    /// Creates a model of prefill ranks.
    ///
    /// @param use cache use of a request
    /// @param cacheTokens cache of each rank, `K`; infinity without a known limit
    /// @param ranks number of ranks that share the requests of figures
    PromptPressure(Conversation conversation, CacheUse use, double cacheTokens, int ranks) {
        this.conversation = conversation;
        this.caches = TurnCaches.of(conversation, PrefixCacheRetention.PROMPT, use, cacheTokens);
        this.ranks = ranks;
    }

    /// Returns the figures at the hit share that they themselves imply, with their cache statistics.
    ///
    /// @param at figures by the share of tokens that are found, from 0 to 1
    SteadyFigures settled(DoubleFunction<SteadyFigures> at) {
        if (!conversation.keepsCache()) {
            return kept(at.apply(0), Found.NONE);
        }
        SteadyFigures all = at.apply(1);
        if (conversation.turns() == 1) {
            return kept(all, Found.ALL);
        }
        Found most = found(all, 1);
        if (most.tokens == 1) {
            return kept(all, Found.ALL);
        }
        double share = share(at, most.tokens - 1);
        SteadyFigures settled = at.apply(share);
        return kept(settled, new Found(found(settled, share).turns, share));
    }

    /// Returns the share at which the figures imply the same share, by the Illinois variant of regula falsi
    /// with a bisection step every third time.
    ///
    /// @param end difference of implied and assumed share at 1; below 0
    private double share(DoubleFunction<SteadyFigures> at, double end) {
        double low = 0;
        double high = 1;
        double more = found(at.apply(0), 0).tokens;
        double less = end;
        boolean wasMore = false;
        for (int i = 1; i < MOST_STEPS && high - low > SAME_SHARE; i++) {
            double middle = i % 3 == 0 ? (low + high) / 2 : low + (high - low) * more / (more - less);
            double found = found(at.apply(middle), middle).tokens - middle;
            if (Math.abs(found) <= SAME_SHARE) {
                return middle;
            }
            boolean isMore = found > 0;
            // An end that stays for longer counts for less.
            if (isMore) {
                low = middle;
                more = found;
                less = wasMore ? less / 2 : less;
            } else {
                high = middle;
                less = found;
                more = wasMore ? more : more / 2;
            }
            wasMore = isMore;
        }
        return low;
    }

    private SteadyFigures kept(SteadyFigures figures, Found found) {
        return caches.kept(figures, found.turns, found.tokens, caches.open(figures) / ranks, caches.room(1));
    }

    /// Returns the hit shares under the given figures.
    ///
    /// @param share share of reusable tokens that the figures assume
    private Found found(SteadyFigures figures, double share) {
        if (caches.cacheTokens() == Double.POSITIVE_INFINITY) {
            return Found.ALL;
        }
        double perMilli = figures.requestsPerSecond() / 1000 / ranks;
        double away = figures.cycleMillis();
        double room = caches.room(1) + caches.useful() + caches.dead() + caches.half(share);
        double count = 0;
        double tokens = 0;
        double beyond = 0;
        int followed = conversation.turns() - 1;
        // The longest first: what is shorter lasts longer.
        for (TurnCaches.Turn turn : caches.turns().subList(0, followed).reversed()) {
            beyond = beyond((room - turn.useful()) / perMilli, away, beyond);
            double one = -Math.expm1(-beyond);
            count += one;
            tokens += one * turn.useful();
        }
        return new Found(count / followed, tokens / (caches.useful() * conversation.turns()));
    }

    /// Returns `(T - w) / Z` of the eviction age, 0 if the age is less than `w`. The retained tokens are
    /// concave in it, so that Newton steps from below stay below.
    ///
    /// @param filled free tokens over the turns that end in a millisecond
    /// @param low lower bound
    private double beyond(double filled, double away, double low) {
        double useful = caches.useful();
        double dead = caches.dead();
        double rest = filled - (useful + dead) * away;
        double think = conversation.thinkMillis();
        if (rest <= 0 || think == 0) {
            return rest <= 0 ? 0 : Double.POSITIVE_INFINITY;
        }
        double beyond = low;
        for (int i = 0; i < MOST_STEPS; i++) {
            double late = Math.exp(-beyond);
            double next = beyond + (rest / think - useful * (1 - late) - dead * beyond) / (useful * late + dead);
            if (!(next > beyond)) {
                return beyond;
            }
            beyond = next;
        }
        return beyond;
    }
}
