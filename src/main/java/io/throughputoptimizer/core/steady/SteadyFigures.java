package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.TtftBasis;
import org.jspecify.annotations.Nullable;

/// What clients see of one rank in its steady state, or of prefill and decode workers together, and the steps behind
/// it.
///
/// @param concurrency requests that clients have outstanding: at the rank, or over all workers
/// @param outputTokens mean of a request
/// @param tpotMillis mean time per output token after the first
/// @param knownMillis part of the time to the first token that the caller knows, as of a cache on its way to decode:
///     what the law says of the rest may be wrong
/// @param correction what measurements made of the law's times; absent where they are the law's own
/// @param kept what caches of conversations come to; absent where requests are no turns of any
public record SteadyFigures(
        double concurrency,
        double outputTokens,
        Steps steps,
        Ttft ttft,
        double tpotMillis,
        double knownMillis,
        @Nullable Correction correction,
        @Nullable KeptCaches kept)
        implements LawOutcome {

    /// Of the law alone.
    public SteadyFigures(
            double concurrency, double outputTokens, Steps steps, Ttft ttft, double tpotMillis, double knownMillis) {
        this(concurrency, outputTokens, steps, ttft, tpotMillis, knownMillis, null, null);
    }

    /// Of which the caller knows nothing.
    public SteadyFigures(double concurrency, double outputTokens, Steps steps, Ttft ttft, double tpotMillis) {
        this(concurrency, outputTokens, steps, ttft, tpotMillis, 0);
    }

    /// What measurements of the same server say of the times of a law. Its steps stay as they are.
    ///
    /// @param law its own figures
    /// @param tpotDeviation standard deviation of the logarithm of measured over corrected TPOT
    /// @param ttftDeviation the same of TTFT
    public record Correction(SteadyFigures law, double tpotDeviation, double ttftDeviation) {}

    /// What a rank does, and of prefill and decode workers one that decodes beside one that prefills.
    ///
    /// @param running requests that run at once; the rest waits outside
    /// @param decodeMillis of a step in which they all decode
    /// @param prefillMillis of one prompt
    /// @param utilisation share of the time that goes to prompts
    /// @param queueMillis that a prompt waits for prompts before it
    public record Steps(
            double running, double decodeMillis, double prefillMillis, double utilisation, double queueMillis) {}

    /// The mean time to the first token, in milliseconds: each of the three is a mean, over different requests.
    ///
    /// @param benchmarkMillis over all waves, the opening one included: what a benchmark prints
    /// @param burstMillis over the requests that open the load all at once
    /// @param settledMillis over those after them: what users of a service see that has run for long
    public record Ttft(double benchmarkMillis, double burstMillis, double settledMillis) {
        private Ttft times(double factor) {
            return new Ttft(benchmarkMillis * factor, burstMillis * factor, settledMillis * factor);
        }
    }

    /// How much longer than `P + D / 2` clients wait for the first token of requests of many lengths, in ms, if
    /// they ask again at the very end of the step that answered them. No prompt is half done then: they wait for
    /// those alone who were answered in the same step, and the next is theirs, in which all others decode, so
    /// that it is `(b - 1) P / output + D (b - 1) / b - D / 2`. The law's wait is [Steps#queueMillis()].
    public double waitOfWhoAskAtOnceMillis() {
        double others = steps.running - 1;
        return others / outputTokens * steps.prefillMillis
                + others / steps.running * steps.decodeMillis
                - steps.decodeMillis / 2;
    }

    /// The same with times as measurements have them.
    ///
    /// @param tpotFactor by which TPOT grows
    /// @param ttftFactor by which each TTFT grows
    /// @param tpotDeviation as [Correction] has it
    public SteadyFigures corrected(double tpotFactor, double ttftFactor, double tpotDeviation, double ttftDeviation) {
        return new SteadyFigures(
                concurrency,
                outputTokens,
                steps,
                ttft.times(ttftFactor),
                tpotMillis * tpotFactor,
                knownMillis,
                new Correction(this, tpotDeviation, ttftDeviation),
                kept);
    }

    /// The same with what caches of conversations come to.
    SteadyFigures with(KeptCaches caches) {
        return new SteadyFigures(concurrency, outputTokens, steps, ttft, tpotMillis, knownMillis, correction, caches);
    }

    /// What the law says by itself.
    public SteadyFigures ofLaw() {
        return correction == null ? this : correction.law;
    }

    /// `ttft + osl tpot`, of a request in the mean.
    public double cycleMillis() {
        return ttft.benchmarkMillis() + outputTokens * tpotMillis;
    }

    /// Of a whole answer, from its request to its last token: `ttft + (osl - 1) tpot`, as the first
    /// token comes with
    /// TTFT. Means in, the mean out; a request's place at the server is taken for [#cycleMillis].
    ///
    /// @param basis of TTFT
    public double requestLatencyMillis(TtftBasis basis) {
        return ttftMillis(basis) + decodedMillis();
    }

    /// `(osl - 1) tpot`: what a whole answer takes after its first token.
    public double decodedMillis() {
        return Math.max(outputTokens - 1, 0) * tpotMillis;
    }

    public double ttftMillis(TtftBasis basis) {
        return switch (basis) {
            case BENCHMARK -> ttft.benchmarkMillis();
            case SETTLED -> ttft.settledMillis();
        };
    }

    public double requestsPerSecond() {
        return 1000 * concurrency / cycleMillis();
    }

    public double outputTokensPerSecond() {
        return 1000 * concurrency * outputTokens / cycleMillis();
    }

    /// Requests a second that the time of the steps of one rank suffices for which does both phases:
    /// `1000 b / (b P + osl D)`, as it computes the prompt of each request that runs, and `osl` steps of them all.
    /// As `b P + osl D = P + osl TPOT`, a corrected TPOT says what these take together.
    public double sustainedPerSecond() {
        if (correction != null) {
            return 1000 * steps.running / (steps.prefillMillis + outputTokens * tpotMillis);
        }
        return 1000 * steps.running / (steps.running * steps.prefillMillis + outputTokens * steps.decodeMillis);
    }
}
