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
/// A rank that computes prompts alone has one of them running, and keeps it while its answer is generated elsewhere:
/// `w`
/// is the time of the whole request, and nobody goes on at once. With `k` such ranks `lambda` is that of all over `k`.
/// Turn `j` is forgotten as soon as those after it leave no room for its own `r_j = u(I_j) - u(s)`, which is sooner for
/// longer prompts; the last of those takes half of itself more than that, in the mean (`h`, see [#half]):
///
///     K - u(s) - r_j + h = lambda / k sum_i(r_i E[min(w + x, T_j)] + e_i T_j) / n
///     found_j = 1 - exp(-(T_j - w) / Z)
///
/// What turns leave depends on the conversation alone, and is counted once for all figures.
public final class CachePressure {
    private static final int HALVINGS = 50;

    private final Conversation conversation;
    private final Keeping keeping;
    private final double cacheTokens;
    private final int ranks;
    private final List<TurnCache> turns;
    /// Of what turns leave, in the mean of all, what the next ones find and what nobody asks for again.
    private final double useful;

    private final double dead;
    /// What all turns take while they run.
    private final double taken;

    /// What turns after the first find.
    ///
    /// @param turns share of these that find the turn before
    /// @param tokens share of all that could be found
    private record Found(double turns, double tokens) {
        private static final Found ALL = new Found(1, 1);
        private static final Found NONE = new Found(0, 0);
    }

    /// @param use what a request takes of the cache
    /// @param cacheTokens of the rank, `K`; infinity where nobody knows a limit
    public CachePressure(Conversation conversation, CacheUse use, double cacheTokens) {
        this(conversation, Keeping.PROMPT_AND_ANSWER, use, cacheTokens, 1);
    }

    private CachePressure(Conversation conversation, Keeping keeping, CacheUse use, double cacheTokens, int ranks) {
        this.conversation = conversation;
        this.keeping = keeping;
        this.cacheTokens = cacheTokens;
        this.ranks = ranks;
        this.turns = IntStream.rangeClosed(1, conversation.turns())
                .mapToObj(turn -> keeping.cache(conversation, use, turn))
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

    /// Of prefill ranks that share all requests of figures.
    ///
    /// @param use what a request takes of the cache
    /// @param cacheTokens of each of these ranks
    static CachePressure ofPrompts(Conversation conversation, CacheUse use, double cacheTokens, int ranks) {
        return new CachePressure(conversation, Keeping.PROMPT, use, cacheTokens, ranks);
    }

    /// The figures at which as many turns find their cache as they themselves say, and what that comes to.
    ///
    /// @param at figures by the share of turns that find theirs, from 0 to 1
    public SteadyFigures settled(DoubleFunction<SteadyFigures> at) {
        if (!conversation.keepsCache()) {
            return kept(at.apply(0), Found.NONE);
        }
        SteadyFigures all = at.apply(1);
        if (conversation.turns() == 1 || alwaysAtOnce() || found(all, 1).tokens == 1) {
            return kept(all, Found.ALL);
        }
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (found(at.apply(middle), middle).tokens > middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        SteadyFigures settled = at.apply(low);
        double ofTurns = keeping == Keeping.PROMPT_AND_ANSWER ? low : found(settled, low).turns;
        return kept(settled, new Found(ofTurns, low));
    }

    /// Whether what was left is asked for before anybody else can take its place.
    private boolean alwaysAtOnce() {
        return keeping == Keeping.PROMPT_AND_ANSWER && conversation.thinkMillis() == 0;
    }

    private SteadyFigures kept(SteadyFigures figures, Found found) {
        double think = conversation.thinkMillis();
        double perMilli = figures.requestsPerSecond() / 1000;
        double open = figures.concurrency() + perMilli * think;
        double idle = keeping == Keeping.PROMPT ? open / ranks : perMilli * think;
        return figures.with(new KeptCaches(
                found.turns,
                found.tokens,
                keeping.hitRate(conversation, found.tokens),
                open,
                conversation.keepsCache() ? idle * useful : 0,
                Math.max(0, room(figures))));
    }

    private double room(SteadyFigures figures) {
        double running = keeping == Keeping.PROMPT ? 1 : figures.steps().running();
        return cacheTokens - running * taken / conversation.turns();
    }

    /// Half of what is forgotten at a time, those that are larger more often: what the last that was forgotten leaves
    /// free, in the mean, and by how much the last that came exceeds the room.
    ///
    /// @param found share of the turns that had taken their part of it
    private double half(double found) {
        double sum = 0;
        double squares = 0;
        for (TurnCache turn : turns) {
            sum += found * turn.dead() + (1 - found) * turn.left();
            squares += found * turn.dead() * turn.dead() + (1 - found) * turn.left() * turn.left();
        }
        return squares / sum / 2;
    }

    /// Shares that figures leave room and time for.
    ///
    /// @param share of all tokens that could be found, that these figures are of
    private Found found(SteadyFigures figures, double share) {
        if (cacheTokens == Double.POSITIVE_INFINITY) {
            return Found.ALL;
        }
        double perMilli = figures.requestsPerSecond() / 1000 / ranks;
        double away = away(figures);
        if (keeping == Keeping.PROMPT_AND_ANSWER) {
            double all = inTime((room(figures) - half(share)) / perMilli, away);
            return new Found(all, all);
        }
        double room = room(figures) + useful + dead + half(share);
        List<TurnCache> before = turns.subList(0, turns.size() - 1);
        double count = 0;
        double tokens = 0;
        for (TurnCache turn : before) {
            double one = inTime((room - turn.useful()) / perMilli, away);
            count += one;
            tokens += one * turn.useful();
        }
        return new Found(count / before.size(), tokens / (useful * turns.size()));
    }

    /// From when a turn leaves its cache to when the next one runs, without the time that its user thinks.
    private double away(SteadyFigures figures) {
        if (keeping == Keeping.PROMPT) {
            return figures.cycleMillis();
        }
        SteadyFigures.Steps steps = figures.steps();
        return (figures.concurrency() - steps.running())
                / steps.running()
                * (steps.prefillMillis() + figures.outputTokens() * figures.tpotMillis());
    }

    /// Share of the turns that come before what they look for is forgotten.
    ///
    /// @param filled tokens left over the turns that end in a millisecond
    private double inTime(double filled, double away) {
        return early(age(filled, away), away);
    }

    /// Share of the turns that come before an age of what the turn before has left.
    private double early(double age, double away) {
        double think = conversation.thinkMillis();
        if (think == 0) {
            return age > away ? 1 : 0;
        }
        return -Math.expm1(-Math.max(0, age - away) / think);
    }

    /// The age at which caches are forgotten, `T`, in milliseconds.
    ///
    /// @param filled tokens left over the turns that end in a millisecond
    private double age(double filled, double away) {
        double low = 0;
        double high = Math.max(0, filled) / dead;
        for (int i = 0; i < HALVINGS; i++) {
            double age = (low + high) / 2;
            double idle = Math.min(age, away) + conversation.thinkMillis() * early(age, away);
            if (useful * idle + dead * age < filled) {
                low = age;
            } else {
                high = age;
            }
        }
        return (low + high) / 2;
    }
}
