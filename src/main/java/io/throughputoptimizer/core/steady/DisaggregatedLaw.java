package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.steady.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.steady.SteadyFigures.Ttft;

/// The steady state of prefill workers that feed decode workers, under a closed loop of `B` requests.
///
/// With `S` ranks that prefill one prompt at a time and `R` that decode, in milliseconds:
///
///     b    = max(B / R, 1),  D = decode(b, b (isl + osl/2)),  P = prefill(isl, isl^2/2)
///     sat  = max(B P/S - osl D, 0)                           wait where prefill is the bottleneck
///     rho  = min(B/S P/(P + osl D), 0.98),  Q = min(P rho/(2 (1 - rho)), B P/(2 S))
///     TTFT = phi max((B/S + 1)/2 P, sat) + (1 - phi) max(P + Q, sat) + D + c,  TPOT = D
///
/// Where a decode step verifies drafts and yields `a` tokens, D is its time over `a`, and the TTFT has the whole step,
/// `a D`.
///
/// The TTFT leaves out the router and imbalance: a rough value, mostly too low. The transfer of the cache, where its
/// time is known, is added to it; queues are as without one.
public final class DisaggregatedLaw {
    private static final double MOST_UTILISATION = 0.98;

    private final Workers prefill;
    private final Workers decode;
    private final MeanRequest request;
    private final double openingShare;
    private final MeanRequest.Prompts prompts;
    private final double transferMillis;

    /// Ranks of one kind. A rank's engine adds its own step gap; the front end is that of the decode side.
    public record Workers(ServingRank rank, int ranks) {
        public Workers {
            if (ranks < 1) {
                throw new IllegalArgumentException(ranks + " ranks: at least 1");
            }
        }
    }

    /// Caches get to decode in no time.
    ///
    /// @param waves requests of a benchmark per outstanding one, at least 1
    public DisaggregatedLaw(Workers prefill, Workers decode, MeanRequest request, double waves) {
        this(prefill, decode, request, waves, 0);
    }

    /// @param waves requests of a benchmark per outstanding one, at least 1
    /// @param transferMillis of the KV cache of a request to decode
    public DisaggregatedLaw(Workers prefill, Workers decode, MeanRequest request, double waves, double transferMillis) {
        this(prefill, decode, request, waves, transferMillis, prompts(prefill.rank(), request));
    }

    /// The same where the times of prompts are known already.
    DisaggregatedLaw(
            Workers prefill,
            Workers decode,
            MeanRequest request,
            double waves,
            double transferMillis,
            MeanRequest.Prompts prompts) {
        if (!(waves >= 1)) {
            throw new IllegalArgumentException(waves + " waves: at least 1");
        }
        this.prefill = prefill;
        this.decode = decode;
        this.request = request;
        this.openingShare = 1 / waves;
        this.transferMillis = transferMillis;
        this.prompts = prompts;
    }

    /// What prompts cost a rank that computes them alone, each by itself.
    static MeanRequest.Prompts prompts(ServingRank rank, MeanRequest request) {
        double gap = rank.engine().stepGapMillis();
        return request.prompts((tokens, pairs) -> rank.step().prefill(tokens, pairs) + gap);
    }

    /// Requests that a decode rank runs at once: `max(B / R, 1)`.
    public static double running(double concurrency, int decodeRanks) {
        return Math.max(concurrency / decodeRanks, 1);
    }

    /// @param concurrency requests outstanding over all workers, at least 1
    public LawOutcome at(double concurrency) {
        if (!(concurrency >= 1)) {
            throw new IllegalArgumentException("concurrency is " + concurrency + ": at least 1");
        }
        double running = running(concurrency, decode.ranks());
        double needed = running * decode.rank().taken(request);
        return needed <= decode.rank().kvTokens()
                ? figures(concurrency, running, decode.rank().decodeMillis(running, request))
                : new OutOfMemory(decode.rank().kvTokens(), needed);
    }

    /// What fits in memory, where the time of decode steps is known already.
    ///
    /// @param running requests of a decode rank
    /// @param decodeMillis for a token of each of these
    SteadyFigures figures(double concurrency, double running, double decodeMillis) {
        double share = concurrency / prefill.ranks();
        double prefillMillis = prompts.millis();
        double generation = request.outputTokens() * decodeMillis;
        double saturated = Math.max(share * prefillMillis - generation, 0);
        double utilisation = Math.min(share * prefillMillis / (prefillMillis + generation), MOST_UTILISATION);
        double queue =
                SteadyLaw.queueMillis(prompts.unevenness() * prefillMillis, utilisation, share * prefillMillis / 2);
        double opening = Math.max((share + 1) / 2 * prefillMillis, saturated);
        double later = Math.max(prefillMillis + queue, saturated);
        double step = decode.rank().step().tokensPerStep() * decodeMillis;
        double frontend = decode.rank().engine().frontendMillis();
        return new SteadyFigures(
                concurrency,
                request.outputTokens(),
                new SteadyFigures.Steps(running, decodeMillis, prefillMillis, utilisation, queue),
                new Ttft(
                        openingShare * opening + (1 - openingShare) * later + step + frontend + transferMillis,
                        opening + step + frontend + transferMillis,
                        later + step + frontend + transferMillis),
                decodeMillis,
                transferMillis);
    }
}
