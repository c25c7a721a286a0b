package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.load.SteadyFigures.Ttft;

/// Steady state of disaggregated prefill and decode ranks under a closed loop of `B` requests.
///
/// With `S` ranks that prefill one prompt at a time and `R` that decode, in milliseconds:
///
///     b    = max(B / R, 1),  D = decode(b, b (isl + osl/2)),  P = prefill(isl, isl^2/2)
///     sat  = max(B P/S - osl D, 0)                           wait where prefill is the bottleneck
///     rho  = min(B/S P/(P + osl D), 0.98),  Q = min(P rho/(2 (1 - rho)), B P/(2 S))
///     TTFT = phi max((B/S + 1)/2 P, sat) + (1 - phi) max(P + Q, sat) + D + c,  TPOT = D
///
/// If a decode step verifies drafts and yields `a` tokens, D is its time over `a`, and the TTFT includes the
/// whole step, `a D`.
///
/// The TTFT ignores the router and load imbalance: a rough value, mostly too low. A known KV transfer time is
/// added to it; it does not change the queues.
public final class DisaggregatedLaw {
    private static final double MOST_UTILISATION = 0.98;

    private final Workers prefill;
    private final Workers decode;
    private final MeanRequest request;
    private final double openingShare;
    private final MeanRequest.Prompts prompts;
    private final double transferMillis;

    /// Ranks of one phase. Each engine adds its own step gap; the front end is that of the decode side.
    public record Workers(ServingRank rank, int ranks) {
        public Workers {
            if (ranks < 1) {
                throw new IllegalArgumentException(ranks + " ranks: at least 1");
            }
        }
    }

    /// Creates a law.
    ///
    /// @param waves benchmark requests per request in flight, at least 1
    /// @param transferMillis KV transfer time of a request
    public DisaggregatedLaw(Workers prefill, Workers decode, MeanRequest request, double waves, double transferMillis) {
        this(prefill, decode, request, waves, transferMillis, prompts(prefill.rank(), request));
    }

    /// Creates a law with known prompt times.
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

    /// Returns the prompt costs of a rank that computes one prompt at a time.
    static MeanRequest.Prompts prompts(ServingRank rank, MeanRequest request) {
        double gap = rank.engine().stepGapMillis();
        return request.prompts((tokens, pairs) -> rank.step().prefill(tokens, pairs) + gap);
    }

    /// Returns the batch size of a decode rank: `max(B / R, 1)`.
    public static double running(double concurrency, int decodeRanks) {
        return Math.max(concurrency / decodeRanks, 1);
    }

    /// Returns the steady state of a concurrency.
    ///
    /// @param concurrency requests in flight over all ranks, at least 1
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

    /// Returns the figures of a concurrency that fits in memory, with a known decode step time.
    ///
    /// @param running batch size of a decode rank
    /// @param decodeMillis time per token of a decode step
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
                transferMillis,
                null,
                null);
    }
}
