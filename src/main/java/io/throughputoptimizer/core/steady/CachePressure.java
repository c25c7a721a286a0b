package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;

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
///
/// What turns leave depends on the conversation alone, and is counted once for all figures.
public final class CachePressure {
    private static final int HALVINGS = 50;

    private final Conversation conversation;
    private final double cacheTokens;
    private final List<TurnCache> turns;
    /// Of what turns leave, in the mean of all, what the next ones find and what nobody asks for again.
    private final double useful;

    private final double dead;
    /// What all turns take while they run.
    private final double taken;

    /// @param use what a request takes of the cache
    /// @param cacheTokens of the rank, `K`; infinity where nobody knows a limit
    public CachePressure(Conversation conversation, CacheUse use, double cacheTokens) {
        this.conversation = conversation;
        this.cacheTokens = cacheTokens;
        this.turns = IntStream.rangeClosed(1, conversation.turns())
                .mapToObj(turn -> TurnCache.of(conversation, use, turn))
                .toList();
        double all = 0;
        double found = 0;
        double running = 0;
        for (TurnCache turn : turns) {
            all += turn.left();
            found += turn.useful();
            running += turn.taken();
        }
        this.useful = found / conversation.turns();
        this.dead = (all - found) / conversation.turns();
        this.taken = running;
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
        double think = conversation.thinkMillis();
        double perMilli = figures.requestsPerSecond() / 1000;
        return figures.with(new KeptCaches(
                found,
                conversation.hitRate(found),
                figures.concurrency() + perMilli * think,
                conversation.keepsCache() ? perMilli * think * useful : 0,
                Math.max(0, room(figures))));
    }

    private double room(SteadyFigures figures) {
        return cacheTokens - figures.steps().running() * taken / conversation.turns();
    }

    /// What the last that was forgotten leaves free, in the mean: half of it, those that are larger more often.
    ///
    /// @param found share of the turns that had taken their part of it
    private double slack(double found) {
        double sum = 0;
        double squares = 0;
        for (TurnCache turn : turns) {
            sum += found * turn.dead() + (1 - found) * turn.left();
            squares += found * turn.dead() * turn.dead() + (1 - found) * turn.left() * turn.left();
        }
        return squares / sum / 2;
    }

    /// Share that figures leave room and time for.
    ///
    /// @param share that these figures are of
    private double found(SteadyFigures figures, double share) {
        double room = room(figures) - slack(share);
        if (room == Double.POSITIVE_INFINITY) {
            return 1;
        }
        double think = conversation.thinkMillis();
        SteadyFigures.Steps steps = figures.steps();
        double wait = (figures.concurrency() - steps.running())
                / steps.running()
                * (steps.prefillMillis() + figures.outputTokens() * figures.tpotMillis());
        double perMilli = figures.requestsPerSecond() / 1000;
        double age = age(room / perMilli, wait, think);
        return -Math.expm1(-Math.max(0, age - wait) / think);
    }

    /// The age at which caches are forgotten, `T`, in milliseconds.
    ///
    /// @param filled tokens left over the turns that end in a millisecond
    private double age(double filled, double wait, double think) {
        double low = 0;
        double high = Math.max(0, filled) / dead;
        for (int i = 0; i < HALVINGS; i++) {
            double age = (low + high) / 2;
            double idle = Math.min(age, wait) - think * Math.expm1(-Math.max(0, age - wait) / think);
            if (useful * idle + dead * age < filled) {
                low = age;
            } else {
                high = age;
            }
        }
        return (low + high) / 2;
    }
}
