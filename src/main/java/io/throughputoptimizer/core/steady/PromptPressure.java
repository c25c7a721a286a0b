package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.function.DoubleFunction;

/// How many turns of conversations find the prompt of the turn before in the KV cache of a rank that computes prompts
/// alone; [CachePressure] is that of ranks that generate answers too.
///
/// Such a rank has one prompt running, and keeps it while its answer is generated elsewhere: `w` is the time of the
/// whole request, and nobody goes on at once. With `k` ranks `lambda` is that of all over `k`. Turn `j` is forgotten as
/// soon as those after it leave no room for its own `r_j = u(I_j) - u(s)`, which is sooner for longer prompts; the last
/// of those takes half of itself more than that, in the mean (`h`, see [TurnCaches#half]):
///
///     K - u(s) - r_j + h = lambda / k sum_i(r_i E[min(w + x, T_j)] + e_i T_j) / n
///     found_j = 1 - exp(-(T_j - w) / Z)
final class PromptPressure {
    private static final int MOST_STEPS = 100;
    private static final double SAME_SHARE = 1e-14;

    private final Conversation conversation;
    private final TurnCaches caches;
    private final int ranks;

    /// What turns after the first find.
    ///
    /// @param turns share of these that find the turn before
    /// @param tokens share of all that could be found
    private record Found(double turns, double tokens) {
        private static final Found ALL = new Found(1, 1);
        private static final Found NONE = new Found(0, 0);
    }

    /// @param use what a request takes of the cache
    /// @param cacheTokens of each rank, `K`; infinity where nobody knows a limit
    /// @param ranks that share all requests of figures
    PromptPressure(Conversation conversation, CacheUse use, double cacheTokens, int ranks) {
        this.conversation = conversation;
        this.caches = TurnCaches.of(conversation, Keeping.PROMPT, use, cacheTokens);
        this.ranks = ranks;
    }

    /// The figures at which as much is found as they themselves say, and what that comes to.
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

    /// The share at which as much is found as figures of it say, by the line between the ends of what is left
    /// (Illinois) and every third time by its middle.
    ///
    /// @param end by how much less is found where all find theirs; below 0
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

    /// Shares that figures leave room and time for.
    ///
    /// @param share of all tokens that could be found, that these figures are of
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

    /// `(T - w) / Z` of the age at which caches are forgotten, 0 where that is less than `w`: what is left until then
    /// grows ever more slowly with it, so that Newton's steps from below stay below.
    ///
    /// @param filled tokens left over the turns that end in a millisecond
    /// @param low not above it
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
