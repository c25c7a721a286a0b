package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.function.DoubleFunction;

/// How many turns of conversations find what the turn before has left in the KV cache of a rank.
///
/// Requests that run take what they need, `b u(I + g)` tokens of the `K` that there are; the rest holds what those
/// before them have left, and forgets what was left first (LRU). A turn ends `lambda` times in a millisecond. The turn
/// after it comes `w + x` later, with `x` of an exponential distribution of mean `Z` (its user thinks) and `w` that it
/// waits to run. Of what turn `j` leaves, `r_j` tokens are found by the next one, and nobody asks for `e_j` again: its
/// thinking and the answer behind where thinking is dropped, and all of the last turn. What was left `T` ago is just
/// about to be forgotten where all of it together fills the room (Che's approximation):
///
///     room = lambda sum_j(r_j E[min(w + x, T)] + e_j T) / n
///     found = P(w + x < T) = 1 - exp(-(T - w) / Z)
///
/// `lambda` and `w` depend on what prompts cost, and so on `found`: the share with which both hold is searched for. A
/// user who goes on at once finds what was left before anybody else can take its place.
public final class CachePressure {
    private static final int HALVINGS = 50;

    private final Conversation conversation;
    private final TurnCaches caches;

    /// @param use what a request takes of the cache
    /// @param cacheTokens of the rank, `K`; infinity where nobody knows a limit
    public CachePressure(Conversation conversation, CacheUse use, double cacheTokens) {
        this.conversation = conversation;
        this.caches = TurnCaches.of(conversation, Keeping.PROMPT_AND_ANSWER, use, cacheTokens);
    }

    /// The figures at which as many turns find their cache as they themselves say, and what that comes to.
    ///
    /// @param at figures by the share of turns that find theirs, from 0 to 1
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

    /// The share of turns that figures leave room and time for.
    ///
    /// @param share of turns that these figures are of
    private double found(SteadyFigures figures, double share) {
        if (caches.cacheTokens() == Double.POSITIVE_INFINITY) {
            return 1;
        }
        double perMilli = figures.requestsPerSecond() / 1000;
        double away = away(figures);
        return early(age((room(figures) - caches.half(share)) / perMilli, away), away);
    }

    /// From when a turn leaves its cache to when the next one runs, without the time that its user thinks.
    private static double away(SteadyFigures figures) {
        SteadyFigures.Steps steps = figures.steps();
        return (figures.concurrency() - steps.running())
                / steps.running()
                * (steps.prefillMillis() + figures.outputTokens() * figures.tpotMillis());
    }

    /// Share of the turns that come before an age of what the turn before has left.
    private double early(double age, double away) {
        return -Math.expm1(-Math.max(0, age - away) / conversation.thinkMillis());
    }

    /// The age at which caches are forgotten, `T`, in milliseconds.
    ///
    /// @param filled tokens left over the turns that end in a millisecond
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
