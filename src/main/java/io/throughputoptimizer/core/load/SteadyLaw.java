package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.load.ServingRank.StepTimes;
import io.throughputoptimizer.core.load.SteadyFigures.Ttft;
import java.util.function.DoubleUnaryOperator;

/// Steady state of one rank under a closed loop of `B` requests in flight.
///
/// With mean lengths `isl` and `osl`, cache tokens `K`, waves `W`, poll interval `k` and front end `c`, in
/// milliseconds:
///
///     b    = min(B, max_num_seqs, K / (isl + 0.75 osl))       running
///     D    = decode(n, n (isl + osl/2)), P = prefill(isl, isl^2/2)
///     q    = (n - 1) / osl                                   prompts of a step; n = b decode, see below
///     TPOT = D + q P r                                       prompts of all others run once per response
///     rho  = min(b P / (osl TPOT + P), 0.98)
///     Q    = min(P rho / (2 (1 - rho)), b P / 2) (b - 1)/b   wait of a queue: one server, fixed times
///     phi  = 1 / W
///     out  = (B - b)/b (P + osl TPOT) (1 - phi/2)            wait for others to leave
///     TTFT = phi (b + 1)/2 P + (1 - phi)(P + k D/2 + Q) + out + c
///
/// A step of several prompts reads `m = min(q, T / isl)` together, with token budget `T`, which takes
/// `r = prefill(m isl, m isl^2/2) / (m P)` of their times apart; `r = 1` up to one prompt per step.
///
/// Mixed steps are saturated if their prompts exceed the budget, `q isl > T - b`. Then only `n` requests decode,
/// the others wait for their prompts, and requests leave at rate `q / TPOT`:
///
///     n    = (1 + osl T/isl) / (1 + osl/isl)                 fills the budget: n + q isl = T
///     out  = (B - b)/q TPOT (1 - phi/2)
///     TTFT after the burst, without out and c: at least (b/q - osl + 1) TPOT
///
/// With a prefix cache P and the budget cover the uncached rest of a prompt. If a step verifies drafts, computes
/// `t` tokens per request and yields `a`, D is its time over `a`, the poll term has `k a D/2`, and `osl/a` steps
/// of `t` tokens count in q and n.
public final class SteadyLaw {
    private static final double MOST_UTILISATION = 0.98;

    private final ServingRank rank;
    private final MeanRequest request;
    private final double waves;
    private final MeanRequest.Prompts prompts;

    /// Creates a law.
    ///
    /// @param waves benchmark requests per request in flight, at least 1
    public SteadyLaw(ServingRank rank, MeanRequest request, double waves) {
        this(rank, request, waves, rank.prompts(request));
    }

    /// Creates a law with known prompt times.
    public SteadyLaw(ServingRank rank, MeanRequest request, double waves, MeanRequest.Prompts prompts) {
        if (!(waves >= 1)) {
            throw new IllegalArgumentException(waves + " waves: at least 1");
        }
        this.rank = rank;
        this.request = request;
        this.waves = waves;
        this.prompts = prompts;
    }

    /// Returns the steady state of a concurrency.
    ///
    /// @param concurrency requests in flight at this rank, at least 1; may be fractional
    public LawOutcome at(double concurrency) {
        return at(concurrency, running -> rank.decodeMillis(running, request));
    }

    /// Returns the steady state of a concurrency with the caller's decode step times.
    ///
    /// @param decodeMillis time of a decode step by its batch size, including the step gap
    public LawOutcome at(double concurrency, DoubleUnaryOperator decodeMillis) {
        if (!(concurrency >= 1)) {
            throw new IllegalArgumentException("concurrency of a rank is " + concurrency + ": at least 1");
        }
        return rank.capacity(request) < 1
                ? new OutOfMemory(rank.kvTokens(), rank.taken(request))
                : figures(concurrency, Math.min(concurrency, rank.mostRunning(request)), decodeMillis);
    }

    private SteadyFigures figures(double concurrency, double running, DoubleUnaryOperator decodeMillis) {
        Batch batch = batch(running);
        return times(decodeMillis.applyAsDouble(batch.decoding))
                .figures(concurrency, batch, waves, rank.engine(), rank.step().tokensPerStep());
    }

    /// Returns the requests of a step if `running` requests run.
    private Batch batch(double running) {
        EngineSettings.Scheduling scheduling = rank.engine().scheduling();
        StepTimes step = rank.step();
        double budget = scheduling.tokenBudget();
        double steps = request.outputTokens() / step.tokensPerStep();
        double tokens = prompts.tokens();
        double decoding = running;
        if (scheduling.policy() == EngineSettings.Policy.MIXED
                && budget > step.tokensComputed()
                && (running - 1) / steps > Math.max(budget - running * step.tokensComputed(), 1) / tokens) {
            double filling = (1 + steps * budget / tokens) / (1 + step.tokensComputed() * steps / tokens);
            decoding = Math.min(running, Math.max(1, filling));
        }
        double together = Math.min((decoding - 1) / steps, Math.max(1, budget / tokens));
        return new Batch(
                running,
                decoding,
                together <= 1
                        ? 1
                        : (step.prefill(together * tokens, together * prompts.pairs()) + rank.prefillGapMillis())
                                / (together * prompts.millis()));
    }

    /// Requests of a step.
    ///
    /// @param running requests that run, `b`
    /// @param decoding requests that decode, `n`; fewer than run in saturated steps
    /// @param reading time of the prompts that a step reads together over their times apart, `r`
    public record Batch(double running, double decoding, double reading) {
        /// Creates a batch whose requests all decode, and whose prompts are read one by one.
        public Batch(double running) {
            this(running, running, 1);
        }

        /// Returns whether requests wait for their prompts because the prompts of a step exceed its budget.
        public boolean isSaturated() {
            return decoding < running;
        }
    }

    /// Step times of a law, in milliseconds.
    ///
    /// @param prefillMillis mean time of one prompt
    /// @param unevenness mean of the squared prompt times over the square of the mean, 1 for equal prompts; the
    ///     queue grows by this factor (Pollaczek and Khinchine)
    /// @param decodeMillis time of a decode step per token
    /// @param outputTokens mean output tokens of a request
    public record Times(double prefillMillis, double unevenness, double decodeMillis, double outputTokens) {

        /// Returns the figures of clients with as many requests in flight as the rank runs, and an engine
        /// without overhead that polls after each step.
        ///
        /// @param running batch size of the rank
        /// @param waves benchmark requests per request in flight, at least 1
        public SteadyFigures figures(double running, double waves) {
            return figures(running, running, waves, EngineSettings.IDEAL);
        }

        /// Returns the figures of clients that may have more requests in flight than the rank runs.
        ///
        /// @param concurrency requests in flight at the rank
        public SteadyFigures figures(double concurrency, double running, double waves, EngineSettings engine) {
            return figures(concurrency, new Batch(running), waves, engine, 1);
        }

        /// Returns the figures of steps that may yield several tokens per request, which lengthens the poll
        /// term.
        public SteadyFigures figures(
                double concurrency, Batch batch, double waves, EngineSettings engine, double tokensPerStep) {
            double openingShare = 1 / waves;
            double running = batch.running;
            double tpot = tpotMillis(batch);
            double generation = outputTokens * tpot;
            double utilisation = Math.min(running * prefillMillis / (generation + prefillMillis), MOST_UTILISATION);
            double queue = queueMillis(unevenness * prefillMillis, utilisation, running * prefillMillis / 2)
                    * (running - 1)
                    / running;
            double outside = (concurrency - running) / running * (prefillMillis + generation) * (1 - openingShare / 2);
            double opening = (running + 1) / 2 * prefillMillis;
            double later = prefillMillis + engine.pollInterval() * (tokensPerStep * decodeMillis) / 2 + queue;
            if (batch.isSaturated()) {
                double residence = running / promptsPerToken(batch) * tpot;
                later = Math.max(later, residence - (outputTokens - 1) * tpot);
                outside = (concurrency - running) / running * residence * (1 - openingShare / 2);
            }
            double frontend = engine.frontendMillis();
            return new SteadyFigures(
                    concurrency,
                    outputTokens,
                    new SteadyFigures.Steps(batch, decodeMillis, prefillMillis, utilisation, queue),
                    new Ttft(
                            openingShare * opening + (1 - openingShare) * later + outside + frontend,
                            opening + outside + frontend,
                            later + outside + frontend),
                    tpot,
                    0,
                    null,
                    null);
        }

        private double tpotMillis(Batch batch) {
            return decodeMillis + (batch.decoding - 1) * prefillMillis / outputTokens * batch.reading;
        }

        private double promptsPerToken(Batch batch) {
            return (batch.decoding - 1) / outputTokens;
        }
    }

    /// Returns the mean wait of a queue with one server and fixed service times, at most the wait behind all
    /// other requests.
    static double queueMillis(double serviceMillis, double utilisation, double mostMillis) {
        return Math.min(serviceMillis * utilisation / (2 * (1 - utilisation)), mostMillis);
    }

    /// Returns the requests per second above which an open loop is saturated: its queue grows without bound, so
    /// it has no percentiles. `1000 b / (P + osl TPOT(b))` with the maximum batch size `b`, `1000 q / TPOT(b)` if
    /// its steps are saturated; 0 if no request fits.
    ///
    /// @throws IllegalArgumentException if neither the cache nor the engine limits the batch size
    public double highestRatePerSecond() {
        double most = rank.mostRunning(request);
        if (rank.capacity(request) < 1) {
            return 0;
        }
        if (rank.kvTokens() == Double.POSITIVE_INFINITY
                && rank.engine().scheduling().maxRunning() == EngineSettings.Scheduling.NO_LIMIT) {
            throw new IllegalArgumentException("nothing limits how many requests run");
        }
        return figures(most, most, running -> rank.decodeMillis(running, request))
                .highestRatePerSecond();
    }

    private Times times(double decodeMillis) {
        return new Times(prompts.millis(), prompts.unevenness(), decodeMillis, request.outputTokens());
    }
}
