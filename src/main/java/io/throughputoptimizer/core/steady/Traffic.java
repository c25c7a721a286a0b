package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What clients do to a deployment.
///
/// @param prefixHitRate share of a prompt that lies in the cache already
/// @param waves requests of a benchmark per outstanding one
/// @param thinkMillis from an answer to the next request; only a simulation counts it
/// @param rate what replaces the closed loop in simulations, if anything does
/// @param staggered whether a simulation spreads the second requests of a closed loop's clients over the time that one
///     request takes in the law, so that requests of equal lengths get out of step
public record Traffic(
        RequestLengths lengths,
        double prefixHitRate,
        double waves,
        double thinkMillis,
        @Nullable Rate rate,
        boolean staggered) {
    private static final long SEED = 1;

    /// Clients that go on at once.
    public Traffic(
            RequestLengths lengths, double prefixHitRate, double waves, double thinkMillis, @Nullable Rate rate) {
        this(lengths, prefixHitRate, waves, thinkMillis, rate, false);
    }

    /// Clients whose prompts lie in no cache.
    public Traffic(RequestLengths lengths, double waves, double thinkMillis, @Nullable Rate rate, boolean staggered) {
        this(lengths, 0, waves, thinkMillis, rate, staggered);
    }

    /// Requests that come whether or not others have been answered.
    ///
    /// @param perSecond at the whole deployment
    /// @param requests that a simulation runs at one rank
    public record Rate(double perSecond, int requests, long seed) {}

    /// The same with requests of other lengths.
    public Traffic with(RequestLengths other) {
        return new Traffic(other, prefixHitRate, waves, thinkMillis, rate, staggered);
    }

    /// The same where prefill instances feed decode instances: of turns the former keep the prompts alone.
    public Traffic apart() {
        return lengths instanceof TurnLengths(Conversation conversation, var _)
                ? with(new TurnLengths(conversation, Keeping.PROMPT))
                : this;
    }

    /// The same with another share of prompts in the cache.
    public Traffic withPrefixHits(double share) {
        return new Traffic(lengths, share, waves, thinkMillis, rate, staggered);
    }

    /// The same at another rate.
    public Traffic with(Rate other) {
        return new Traffic(lengths, prefixHitRate, waves, thinkMillis, other, staggered);
    }

    /// Tokens of the longest request, with its whole answer.
    public long longestTokens() {
        return (long) lengths.longestInput() + lengths.longestOutput();
    }

    public MeanRequest mean() {
        return lengths.mean(prefixHitRate);
    }

    /// The same of requests that find as much in the cache as figures of a law say.
    public MeanRequest mean(SteadyFigures figures) {
        KeptCaches kept = figures.kept();
        return kept != null && lengths instanceof TurnLengths turns ? turns.meanFound(kept.foundTokens()) : mean();
    }

    /// Whether anything of prompts lies in the cache already.
    public boolean findsPrefixes() {
        return prefixHitRate > 0
                || (lengths instanceof TurnLengths(Conversation conversation, var _) && conversation.keepsCache());
    }

    /// What one rank sees while clients keep so many requests outstanding there: `waves` times as many, rounded half
    /// to even.
    ///
    /// @param concurrency of the rank
    /// @param law what the law says of it
    public SimulatedLoad closedLoop(int concurrency, TtftBasis basis, LawOutcome law) {
        if (lengths instanceof TurnLengths turns && law instanceof SteadyFigures figures && figures.kept() != null) {
            return turns(turns, (int) Math.max(1, Math.rint(figures.kept().conversations())), basis);
        }
        double stagger = staggered && law instanceof SteadyFigures figures ? figures.cycleMillis() : 0;
        return closedLoop(concurrency, basis, stagger);
    }

    /// The same with clients that go on at once.
    public SimulatedLoad closedLoop(int concurrency, TtftBasis basis) {
        return closedLoop(concurrency, basis, 0);
    }

    /// One of equal shares of it, however requests come: at a rate, as they were recorded, or from clients in a closed
    /// loop.
    ///
    /// @param concurrency requests outstanding in a closed loop of the share; nothing counts it otherwise
    /// @param law of the share, asked where clients are staggered
    public SimulatedLoad share(int shares, int concurrency, TtftBasis basis, Supplier<LawOutcome> law) {
        if (rate != null) {
            return openLoop(rate, shares);
        }
        if (lengths instanceof RecordedLengths recorded && recorded.hasTimes()) {
            return replayed(recorded, shares);
        }
        return staggered ? closedLoop(concurrency, basis, law.get()) : closedLoop(concurrency, basis);
    }

    private SimulatedLoad closedLoop(int concurrency, TtftBasis basis, double staggerMillis) {
        if (lengths instanceof TurnLengths turns) {
            return turns(turns, concurrency, basis);
        }
        int requests = (int) Math.max(1, Math.rint(waves * concurrency));
        int dropped = basis == TtftBasis.SETTLED ? concurrency : 0;
        return load(requests, dropped, new Arrivals.ClosedLoop(concurrency, thinkMillis, staggerMillis));
    }

    /// What one rank sees of so many clients, each with a conversation.
    private SimulatedLoad turns(TurnLengths turns, int clients, TtftBasis basis) {
        int requests = (int) Math.max(1, Math.rint(waves * clients));
        int dropped = basis == TtftBasis.SETTLED ? Math.min(clients, requests - 1) : 0;
        return load(requests, dropped, new Arrivals.Turns(clients, turns.conversation(), SEED));
    }

    /// Whether a closed loop of so many requests at a rank is short enough to be simulated.
    public boolean canLoop(int concurrency) {
        return waves * concurrency <= CompletionQueue.MOST_REQUESTS;
    }

    /// Returns whether requests are left once a closed loop drops its opening burst, if the basis drops it.
    public boolean outlastsBurst(int concurrency, TtftBasis basis) {
        return basis != TtftBasis.SETTLED || Math.rint(waves * concurrency) > concurrency;
    }

    /// What one rank sees of requests that come at a rate: its share of them.
    ///
    /// @param ranks of the deployment
    public SimulatedLoad openLoop(Rate whole, int ranks) {
        return load(whole.requests(), 0, new Arrivals.OpenLoop(whole.perSecond() / ranks, whole.seed()));
    }

    /// What one rank sees of requests that come when they came once: of ranks that take them in turn the first.
    ///
    /// @param ranks of the deployment
    public SimulatedLoad replayed(RecordedLengths recorded, int ranks) {
        RecordedLengths share = recorded.every(ranks);
        return with(share).load(share.count(), 0, new Arrivals.Recorded(share.sentMillis()));
    }

    private SimulatedLoad load(int requests, int dropped, Arrivals arrivals) {
        if (prefixHitRate > 0) {
            throw new IllegalArgumentException(
                    "a simulation knows no prefix cache, of which " + prefixHitRate + " hits");
        }
        return new SimulatedLoad(lengths, requests, dropped, arrivals);
    }
}
