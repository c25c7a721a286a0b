package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.TtftBasis;
import org.jspecify.annotations.Nullable;

/// Latencies and throughput of one rank in its steady state, or of prefill and decode ranks together, and the
/// steps behind them.
///
/// @param concurrency requests in flight at the rank, or over all ranks
/// @param outputTokens mean output tokens of a request
/// @param tpotMillis mean TPOT
/// @param knownMillis known part of the TTFT, such as the KV transfer; only the rest is uncertain
/// @param correction correction by measurements; absent for the law's own times
/// @param ttft TTFT by the law
/// @param kept prefix cache statistics; absent for independent requests
/// @param simulated simulation whose TTFT replaces that of the law; absent if the law decides
public record SteadyFigures(
        double concurrency,
        double outputTokens,
        Steps steps,
        Ttft ttft,
        double tpotMillis,
        double knownMillis,
        @Nullable Correction correction,
        @Nullable PrefixCacheStats kept,
        @Nullable SimulatedTtft simulated)
        implements LawOutcome {

    /// Creates figures whose TTFT is that of the law.
    public SteadyFigures(
            double concurrency,
            double outputTokens,
            Steps steps,
            Ttft ttft,
            double tpotMillis,
            double knownMillis,
            @Nullable Correction correction,
            @Nullable PrefixCacheStats kept) {
        this(concurrency, outputTokens, steps, ttft, tpotMillis, knownMillis, correction, kept, null);
    }

    /// Correction of a law's times by measurements of the same server. The steps stay unchanged.
    ///
    /// @param law the law's own figures
    /// @param tpotDeviation standard deviation of log(measured / corrected TPOT)
    /// @param ttftDeviation standard deviation of log(measured / corrected TTFT)
    public record Correction(SteadyFigures law, double tpotDeviation, double ttftDeviation) {}

    /// Steps of a rank, or of one decode and one prefill rank.
    ///
    /// @param batch requests of a step; others wait in the queue
    /// @param decodeMillis time of a decode step with its decoding requests
    /// @param prefillMillis time of one prompt
    /// @param utilisation share of the time spent on prompts
    /// @param queueMillis wait of a prompt for earlier prompts
    public record Steps(
            SteadyLaw.Batch batch, double decodeMillis, double prefillMillis, double utilisation, double queueMillis) {
        /// Creates steps in which all running requests decode.
        public Steps(
                double running, double decodeMillis, double prefillMillis, double utilisation, double queueMillis) {
            this(new SteadyLaw.Batch(running), decodeMillis, prefillMillis, utilisation, queueMillis);
        }

        /// Returns the requests that run together.
        public double running() {
            return batch.running();
        }

        /// Returns the requests that decode in a step.
        public double decoding() {
            return batch.decoding();
        }
    }

    /// Mean TTFT, in milliseconds, over different sets of requests.
    ///
    /// @param benchmarkMillis mean over all waves, the opening one included, as a benchmark reports it
    /// @param burstMillis mean over the opening burst
    /// @param settledMillis mean over the requests after the opening burst, as users of a long-running service
    ///     see it
    public record Ttft(double benchmarkMillis, double burstMillis, double settledMillis) {
        private Ttft times(double factor) {
            return new Ttft(benchmarkMillis * factor, burstMillis * factor, settledMillis * factor);
        }
    }

    /// Returns the wait for the first token beyond `P + D / 2`, in ms, for requests of many lengths whose
    /// clients send the next request immediately at the end of the step with the last token. No prompt is half
    /// done then: the request waits only for prompts whose clients received their response in the same step,
    /// and the next prompt is its own, while all others decode: `(b - 1) P / output + D (b - 1) / b - D / 2`.
    /// The law's wait is [Steps#queueMillis()].
    public double waitOfWhoAskAtOnceMillis() {
        double others = steps.running() - 1;
        return others / outputTokens * steps.prefillMillis
                + others / steps.running() * steps.decodeMillis
                - steps.decodeMillis / 2;
    }

    /// Returns a copy with measured corrections.
    ///
    /// @param tpotFactor factor of the TPOT
    /// @param ttftFactor factor of each TTFT
    /// @param tpotDeviation deviation as in [Correction]
    /// @param ttftDeviation deviation as in [Correction]
    public SteadyFigures corrected(double tpotFactor, double ttftFactor, double tpotDeviation, double ttftDeviation) {
        return new SteadyFigures(
                concurrency,
                outputTokens,
                steps,
                ttft.times(ttftFactor),
                tpotMillis * tpotFactor,
                knownMillis,
                new Correction(this, tpotDeviation, ttftDeviation),
                kept,
                simulated);
    }

    /// Returns a copy with prefix cache statistics.
    SteadyFigures with(PrefixCacheStats caches) {
        return new SteadyFigures(
                concurrency, outputTokens, steps, ttft, tpotMillis, knownMillis, correction, caches, simulated);
    }

    /// Returns a copy with TTFT by simulation.
    SteadyFigures with(SimulatedTtft other) {
        return new SteadyFigures(
                concurrency, outputTokens, steps, ttft, tpotMillis, knownMillis, correction, kept, other);
    }

    /// Returns the TTFT: by simulation if there is one, else by the law.
    @Override
    public Ttft ttft() {
        return simulated == null ? ttft : simulated.get();
    }

    /// Returns the law's own figures, without a correction.
    public SteadyFigures ofLaw() {
        return correction == null ? this : correction.law;
    }

    /// Returns the mean time of a request: `ttft + osl tpot`. If a simulation decides TTFT or steps are saturated, it
    /// is the time in which as many requests leave as are in flight, [#highestRatePerSecond].
    public double cycleMillis() {
        return simulated == null ? staggerMillis() : 1000 * concurrency / highestRatePerSecond();
    }

    /// Returns the mean time of a request by the law, over which simulations stagger clients.
    public double staggerMillis() {
        return steps.batch.isSaturated()
                ? concurrency * tpotMillis / promptsPerToken()
                : ttft.benchmarkMillis() + outputTokens * tpotMillis;
    }

    /// Returns the prompts that finish in the time of a token, `q`.
    private double promptsPerToken() {
        return (steps.decoding() - 1) / outputTokens;
    }

    /// Returns the prompts that finish in a step, `q`.
    ///
    /// @param tokensPerStep tokens that a decode step yields per request
    public double promptsPerStep(double tokensPerStep) {
        return promptsPerToken() * tokensPerStep;
    }

    /// Returns the mean end-to-end latency, `ttft + (osl - 1) tpot`: the TTFT includes the first token. The
    /// time of a request at the server is [#cycleMillis].
    ///
    /// @param basis basis of the TTFT
    public double requestLatencyMillis(TtftBasis basis) {
        return ttftMillis(basis) + decodedMillis();
    }

    /// Returns the mean time after the first token, `(osl - 1) tpot`.
    public double decodedMillis() {
        return Math.max(outputTokens - 1, 0) * tpotMillis;
    }

    public double ttftMillis(TtftBasis basis) {
        return switch (basis) {
            case BENCHMARK -> ttft().benchmarkMillis();
            case SETTLED -> ttft().settledMillis();
        };
    }

    public double requestsPerSecond() {
        return 1000 * concurrency / cycleMillis();
    }

    public double outputTokensPerSecond() {
        return 1000 * concurrency * outputTokens / cycleMillis();
    }

    /// Returns the requests per second that the step times of an aggregated rank sustain: `1000 b / (b P + osl
    /// D)`, since `b` requests need `b` prompts and `osl` decode steps. With `b P + osl D = P + osl TPOT`, a
    /// corrected TPOT, or that of prompts read together, replaces their sum.
    public double sustainedPerSecond() {
        if (correction != null || steps.batch.isSaturated() || steps.batch.reading() != 1) {
            return highestRatePerSecond();
        }
        return 1000 * steps.running() / (steps.running() * steps.prefillMillis + outputTokens * steps.decodeMillis);
    }

    /// Returns the requests per second of a rank that always has `b` requests to run: `1000 b / (P + osl TPOT)`,
    /// or `1000 q / TPOT` of saturated steps.
    double highestRatePerSecond() {
        return steps.batch.isSaturated()
                ? 1000 * promptsPerToken() / tpotMillis
                : 1000 * steps.running() / (steps.prefillMillis + outputTokens * tpotMillis);
    }
}
