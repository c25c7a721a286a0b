package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.steady.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.steady.SteadyFigures.Ttft;
import java.util.function.DoubleUnaryOperator;

/// The steady state of one rank under a closed loop: clients keep `B` requests outstanding.
///
/// With mean lengths `isl` and `osl`, cache tokens `K`, waves `W`, poll interval `k` and front end `c`, in
/// milliseconds:
///
///     b    = min(B, max_num_seqs, K / (isl + 0.75 osl))       running
///     D    = decode(b, b (isl + osl/2)), P = prefill(isl, isl^2/2)
///     TPOT = D + (b - 1) P / osl                             prompts of all others run once per response
///     rho  = min(b P / (osl TPOT + P), 0.98)
///     Q    = min(P rho / (2 (1 - rho)), b P / 2) (b - 1)/b   wait of a queue: one server, fixed times
///     phi  = 1 / W
///     out  = (B - b)/b (P + osl TPOT) (1 - phi/2)            wait for others to leave
///     TTFT = phi (b + 1)/2 P + (1 - phi)(P + k D/2 + Q) + out + c
///
/// With a prefix cache P is that of the rest of a prompt. Where a step verifies drafts and yields `a` tokens, D is its
/// time over `a`, and the poll term has `k a D/2`.
public final class SteadyLaw {
    private static final double MOST_UTILISATION = 0.98;

    private final ServingRank rank;
    private final MeanRequest request;
    private final double waves;
    private final MeanRequest.Prompts prompts;

    /// @param waves requests of a benchmark per outstanding one, at least 1
    public SteadyLaw(ServingRank rank, MeanRequest request, double waves) {
        this(rank, request, waves, rank.prompts(request));
    }

    /// The same where the times of prompts are known already.
    public SteadyLaw(ServingRank rank, MeanRequest request, double waves, MeanRequest.Prompts prompts) {
        if (!(waves >= 1)) {
            throw new IllegalArgumentException(waves + " waves: at least 1");
        }
        this.rank = rank;
        this.request = request;
        this.waves = waves;
        this.prompts = prompts;
    }

    /// @param concurrency requests outstanding at this rank, at least 1; may be a fraction
    public LawOutcome at(double concurrency) {
        return at(concurrency, running -> rank.decodeMillis(running, request));
    }

    /// The same where the caller prices decode steps.
    ///
    /// @param decodeMillis of a step by the requests that run in it, with the gap of a step
    public LawOutcome at(double concurrency, DoubleUnaryOperator decodeMillis) {
        if (!(concurrency >= 1)) {
            throw new IllegalArgumentException("concurrency of a rank is " + concurrency + ": at least 1");
        }
        return rank.capacity(request) < 1
                ? new OutOfMemory(rank.kvTokens(), rank.taken(request))
                : figures(concurrency, Math.min(concurrency, rank.mostRunning(request)), decodeMillis);
    }

    private SteadyFigures figures(double concurrency, double running, DoubleUnaryOperator decodeMillis) {
        return times(decodeMillis.applyAsDouble(running))
                .figures(concurrency, running, waves, rank.engine(), rank.step().tokensPerStep());
    }

    /// Times of the steps that a law is made of, in milliseconds.
    ///
    /// @param prefillMillis of one prompt, in the mean
    /// @param unevenness of prompts: the mean of the squares of their times over the square of the mean, 1
    ///     where they are alike; a queue is that much longer (Pollaczek and Khinchine)
    /// @param decodeMillis of a step in which all that run decode, for a token of each
    /// @param outputTokens of a request, in the mean
    public record Times(double prefillMillis, double unevenness, double decodeMillis, double outputTokens) {

        /// What clients see that keep as many requests outstanding as run at once, with an engine that costs no time
        /// and looks at new requests after each step.
        ///
        /// @param running requests of the rank
        /// @param waves requests of a benchmark per outstanding one, at least 1
        public SteadyFigures figures(double running, double waves) {
            return figures(running, running, waves, EngineSettings.IDEAL);
        }

        /// The same of clients that may keep more requests outstanding than run at once.
        ///
        /// @param concurrency requests outstanding at the rank
        public SteadyFigures figures(double concurrency, double running, double waves, EngineSettings engine) {
            return figures(concurrency, running, waves, engine, 1);
        }

        /// The same where a step yields more than a token of each request, which polling counts in.
        private SteadyFigures figures(
                double concurrency, double running, double waves, EngineSettings engine, double tokensPerStep) {
            double openingShare = 1 / waves;
            double tpot = tpotMillis(running);
            double generation = outputTokens * tpot;
            double utilisation = Math.min(running * prefillMillis / (generation + prefillMillis), MOST_UTILISATION);
            double queue = queueMillis(unevenness * prefillMillis, utilisation, running * prefillMillis / 2)
                    * (running - 1)
                    / running;
            double outside = (concurrency - running) / running * (prefillMillis + generation) * (1 - openingShare / 2);
            double opening = (running + 1) / 2 * prefillMillis;
            double later = prefillMillis + engine.pollInterval() * (tokensPerStep * decodeMillis) / 2 + queue;
            double frontend = engine.frontendMillis();
            return new SteadyFigures(
                    concurrency,
                    outputTokens,
                    new SteadyFigures.Steps(running, decodeMillis, prefillMillis, utilisation, queue),
                    new Ttft(
                            openingShare * opening + (1 - openingShare) * later + outside + frontend,
                            opening + outside + frontend,
                            later + outside + frontend),
                    tpot);
        }

        private double tpotMillis(double running) {
            return decodeMillis + (running - 1) * prefillMillis / outputTokens;
        }
    }

    /// Mean wait of a queue with one server and fixed service times, never longer than with all others before.
    static double queueMillis(double serviceMillis, double utilisation, double mostMillis) {
        return Math.min(serviceMillis * utilisation / (2 * (1 - utilisation)), mostMillis);
    }

    /// Requests per second above which an open loop is saturated: its queue grows for ever, and no percentile is a
    /// property of the system. `1000 b / (P + osl TPOT(b))` with all `b` running that fit; 0 if not one fits.
    ///
    /// @throws IllegalArgumentException if neither the cache nor the engine limits how many run
    public double highestRatePerSecond() {
        double most = rank.mostRunning(request);
        if (rank.capacity(request) < 1) {
            return 0;
        }
        if (rank.kvTokens() == Double.POSITIVE_INFINITY
                && rank.engine().scheduling().maxRunning() == EngineSettings.Scheduling.NO_LIMIT) {
            throw new IllegalArgumentException("nothing limits how many requests run");
        }
        double tpot = times(rank.decodeMillis(most, request)).tpotMillis(most);
        return 1000 * most / (prompts.millis() + request.outputTokens() * tpot);
    }

    private Times times(double decodeMillis) {
        return new Times(prompts.millis(), prompts.unevenness(), decodeMillis, request.outputTokens());
    }
}
