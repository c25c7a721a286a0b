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
/// A rank that computes prompts alone has one of them running, and keeps it while its answer is generated
/// elsewhere: `w` is the time of the whole request, and nobody goes on at once. With `k` such ranks `lambda` is
/// that of all over `k`. Turn `j` is forgotten as soon as those after it leave no room for its own `r_j =
/// u(I_j) - u(s)`, which is sooner for longer prompts; the last of those takes half of itself more than that,
/// in the mean (`h`, see [#half]):
///
///     K - u(s) - r_j + h = lambda / k sum_i(r_i E[min(w + x, T_j)] + e_i T_j) / n
///     found_j = 1 - exp(-(T_j - w) / Z)
///
/// What turns leave depends on the conversation alone, and is counted once for all figures.
public final class CachePressure {
    private static final int HALVINGS = 50;
    private static final int MOST_STEPS = 100;
    private static final double SAME_SHARE = 1e-14;

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
        if (conversation.turns() == 1 || alwaysAtOnce()) {
            return kept(all, Found.ALL);
        }
        Found most = found(all, 1);
        if (most.tokens == 1) {
            return kept(all, Found.ALL);
        }
        if (keeping == Keeping.PROMPT) {
            double share = share(at, most.tokens - 1);
            SteadyFigures settled = at.apply(share);
            return kept(settled, new Found(found(settled, share).turns, share));
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
        return kept(at.apply(low), new Found(low, low));
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
            double age = age((room(figures) - half(share)) / perMilli, away);
            double all = early(age, away);
            return new Found(all, all);
        }
        double room = room(figures) + useful + dead + half(share);
        double count = 0;
        double tokens = 0;
        double beyond = 0;
        // The longest first: what is shorter lasts longer.
        for (TurnCache turn : turns.subList(0, turns.size() - 1).reversed()) {
            beyond = beyond((room - turn.useful()) / perMilli, away, beyond);
            double one = -Math.expm1(-beyond);
            count += one;
            tokens += one * turn.useful();
        }
        return new Found(count / (turns.size() - 1), tokens / (useful * turns.size()));
    }

    /// `(T - w) / Z` of the age at which caches are forgotten, 0 where that is less than `w`: what is left until then
    /// grows ever more slowly with it, so that Newton's steps from below stay below.
    ///
    /// @param filled tokens left over the turns that end in a millisecond
    /// @param low not above it
    private double beyond(double filled, double away, double low) {
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

    /// Share of the turns that come before an age of what the turn before has left.
    private double early(double age, double away) {
        return -Math.expm1(-Math.max(0, age - away) / conversation.thinkMillis());
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
