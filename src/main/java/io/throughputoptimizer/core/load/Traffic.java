package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Client traffic of a deployment.
///
/// @param prefixHitRate cached share of a prompt
/// @param waves benchmark requests per request in flight
/// @param thinkMillis time from a response to the next request; used by simulations only
/// @param rate request rate that replaces the closed loop in simulations; absent for a closed loop
/// @param staggered whether a simulation spreads the second requests of a closed loop's clients over one
///     request time of the law, so that requests of equal lengths get out of step
public record Traffic(
        RequestLengths lengths,
        double prefixHitRate,
        double waves,
        double thinkMillis,
        @Nullable Rate rate,
        boolean staggered) {
    private static final long SEED = 1;

    /// Creates traffic without staggering.
    public Traffic(
            RequestLengths lengths, double prefixHitRate, double waves, double thinkMillis, @Nullable Rate rate) {
        this(lengths, prefixHitRate, waves, thinkMillis, rate, false);
    }

    /// Creates traffic without a prefix cache.
    public Traffic(RequestLengths lengths, double waves, double thinkMillis, @Nullable Rate rate, boolean staggered) {
        this(lengths, 0, waves, thinkMillis, rate, staggered);
    }

    /// Request rate of an open loop, independent of responses.
    ///
    /// @param perSecond requests per second of the whole deployment
    /// @param requests number of requests that a simulation runs at one rank
    public record Rate(double perSecond, int requests, long seed) {}

    /// Returns a copy with other lengths.
    public Traffic with(RequestLengths other) {
        return new Traffic(other, prefixHitRate, waves, thinkMillis, rate, staggered);
    }

    /// Returns a copy for disaggregated instances, whose prefill instances cache the prompts of turns only.
    public Traffic apart() {
        return lengths instanceof TurnLengths(Conversation conversation, var _)
                ? with(new TurnLengths(conversation, PrefixCacheRetention.PROMPT))
                : this;
    }

    /// Returns a copy with another prefix cache hit rate.
    public Traffic withPrefixHits(double share) {
        return new Traffic(lengths, share, waves, thinkMillis, rate, staggered);
    }

    /// Returns a copy with another rate.
    public Traffic with(Rate other) {
        return new Traffic(lengths, prefixHitRate, waves, thinkMillis, other, staggered);
    }

    /// Returns the tokens of the longest request, including its full output.
    public long longestTokens() {
        return (long) lengths.longestInput() + lengths.longestOutput();
    }

    public MeanRequest mean() {
        return lengths.mean(prefixHitRate);
    }

    /// Returns the mean request at the hit share of the given figures.
    public MeanRequest mean(SteadyFigures figures) {
        PrefixCacheStats kept = figures.kept();
        return kept != null && lengths instanceof TurnLengths turns ? turns.meanFound(kept.foundTokens()) : mean();
    }

    /// Returns whether requests can hit the prefix cache.
    public boolean findsPrefixes() {
        return prefixHitRate > 0
                || (lengths instanceof TurnLengths(Conversation conversation, var _) && conversation.keepsCache());
    }

    /// Returns the simulated load of one rank with a fixed concurrency: `waves` times the concurrency, rounded
    /// half to even.
    ///
    /// @param concurrency requests in flight at the rank
    /// @param law steady state of the rank
    public SimulatedLoad closedLoop(int concurrency, TtftBasis basis, LawOutcome law) {
        if (lengths instanceof TurnLengths turns && law instanceof SteadyFigures figures && figures.kept() != null) {
            return turns(turns, (int) Math.max(1, Math.rint(figures.kept().conversations())), basis);
        }
        double stagger = staggered && law instanceof SteadyFigures figures ? figures.staggerMillis() : 0;
        return closedLoop(concurrency, basis, stagger);
    }

    /// Returns the simulated load of one rank without staggering.
    public SimulatedLoad closedLoop(int concurrency, TtftBasis basis) {
        return closedLoop(concurrency, basis, 0);
    }

    /// Returns one of equal shares of the load: at a rate, as recorded, or from a closed loop.
    ///
    /// @param shares number of shares
    /// @param concurrency requests in flight of the share in a closed loop; unused otherwise
    /// @param law steady state of the share, evaluated if clients are staggered
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

    /// Returns the simulated load of one rank with `clients` multi-turn clients.
    private SimulatedLoad turns(TurnLengths turns, int clients, TtftBasis basis) {
        int requests = (int) Math.max(1, Math.rint(waves * clients));
        int dropped = basis == TtftBasis.SETTLED ? Math.min(clients, requests - 1) : 0;
        return load(requests, dropped, new Arrivals.Turns(clients, turns.conversation(), SEED));
    }

    /// Returns whether a closed loop of that concurrency is short enough to simulate.
    public boolean canLoop(int concurrency) {
        return waves * concurrency <= CompletionQueue.MOST_REQUESTS;
    }

    /// Returns whether requests are left once a closed loop drops its opening burst, if the basis drops it.
    public boolean outlastsBurst(int concurrency, TtftBasis basis) {
        return basis != TtftBasis.SETTLED || Math.rint(waves * concurrency) > concurrency;
    }

    /// Returns the simulated load of one rank at its share of a request rate.
    ///
    /// @param ranks number of ranks of the deployment
    public SimulatedLoad openLoop(Rate whole, int ranks) {
        return load(whole.requests(), 0, new Arrivals.OpenLoop(whole.perSecond() / ranks, whole.seed()));
    }

    /// Returns the simulated load of one rank with recorded arrivals: the first rank of a round robin.
    ///
    /// @param ranks number of ranks of the deployment
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

    /// Requests of one simulation at one rank.
    ///
    /// @param requests number of requests, at least 1
    /// @param dropped number of first requests that the latencies leave out
    public record SimulatedLoad(RequestLengths lengths, int requests, int dropped, Arrivals arrivals) {
        public SimulatedLoad {
            if (requests < 1 || requests > CompletionQueue.MOST_REQUESTS || dropped < 0 || dropped >= requests) {
                throw new IllegalArgumentException(requests + " requests, " + dropped
                        + " of them dropped: at least 1 that counts, at most " + CompletionQueue.MOST_REQUESTS);
            }
        }
    }
}
