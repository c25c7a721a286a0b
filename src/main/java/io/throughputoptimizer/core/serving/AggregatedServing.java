package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.PrefillChunks.Chunk;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prefill and decode on the same devices, prompts of one length and one chunk each (aggregation, wave formula).
///
/// The `C` concurrent requests are prefilled in waves of `W = budget // L` requests, so that a request of the k-th
/// wave waits for k waves, then all decode together:
///
/// - `ttft = (W P (1 + n) n / 2 + (n P + R) r) / C` in ms, of `n = C // W` full waves of `P` ms each and a
///   remainder wave of `r = C % W` requests and `R` ms
/// - `tpot = (ttft + D out) / out` in ms, of `out` output tokens at `D` ms each: TTFT is shared out over the tokens
/// - `1000 out C / (ttft + out tpot)` output tokens per second: TTFT counts by itself and as part of TPOT
/// - `out tpot` ms for a whole answer in the mean, since TPOT has all of its time
/// - `1000 C / (n P + R + D out)` requests per second sustained: all waves count, which TTFT has the mean of
final class AggregatedServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final InstancePasses passes;
    private final Chunk prompt;
    private final long waveSize;

    AggregatedServing(Deployment deployment, ServingTerms terms, InstancePasses passes, Chunk prompt) {
        this.deployment = deployment;
        this.terms = terms;
        this.passes = passes;
        this.prompt = prompt;
        this.waveSize = terms.instanceTokenBudget(deployment.layout()) / prompt.queryLength();
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        PrefillWaves waves = prefillWaves(load);
        PhaseCost prefill = new PhaseCost(
                waves.full().breakdown().shares(), waves.tightest().memory());
        ForwardEstimate decode = passes.decode(load.concurrency(), load);
        return new ServingPoint(
                load,
                figures(waves, passes.perToken(decode.latencyMillis()), load),
                new PhaseCosts(prefill, new PhaseCost(decode.breakdown().shares(), decode.memory())),
                1,
                List.of());
    }

    private PrefillWaves prefillWaves(Load load) {
        long fullWaves = load.concurrency() / waveSize;
        long rest = load.concurrency() % waveSize;
        ForwardEstimate full = passes.prefill(waveSize, prompt, load);
        return new PrefillWaves(waveSize, fullWaves, rest, full, rest == 0 ? null : passes.prefill(rest, prompt, load));
    }

    private Figures figures(PrefillWaves waves, double decodeMillis, Load load) {
        double ttftMillis = waves.meanCompletionMillis();
        double outputTokens = terms.workload().outputs().mean();
        double tpotMillis = (ttftMillis + decodeMillis * outputTokens) / outputTokens;
        double requestMillis = ttftMillis + tpotMillis * outputTokens;
        double tokensPerSecond = 1000.0 * (outputTokens * load.concurrency()) / requestMillis;
        double sustained = Figures.perSecond(load.concurrency(), waves.totalMillis() + decodeMillis * outputTokens);
        return Figures.of(
                ttftMillis,
                tpotMillis,
                tokensPerSecond,
                sustained,
                outputTokens * tpotMillis,
                null,
                deployment.layout());
    }

    /// Waves in which an aggregated instance prefills its requests, one after another.
    ///
    /// @param size requests of a full wave, `W`
    /// @param fullWaves number of them, `n`
    /// @param rest requests of the last wave, `r`, 0 when the full ones leave none
    /// @param full pass of a full wave, priced even if none runs
    /// @param remainder pass of the last wave; absent when there is none
    record PrefillWaves(
            long size,
            long fullWaves,
            long rest,
            ForwardEstimate full,
            @Nullable ForwardEstimate remainder) {

        /// Time in ms that all waves take, one after another: `n P + R`.
        double totalMillis() {
            return fullWaves * full.latencyMillis() + (remainder == null ? 0 : remainder.latencyMillis());
        }

        /// Mean over all requests of the time until their wave is done: `(W P (1 + n) n / 2 + (n P + R) r) / (n W + r)`
        /// in ms.
        double meanCompletionMillis() {
            double fullMillis = full.latencyMillis();
            double restMillis = remainder == null ? 0 : remainder.latencyMillis();
            double sum =
                    size * fullMillis * (1 + fullWaves) * fullWaves / 2 + (fullWaves * fullMillis + restMillis) * rest;
            return sum / (fullWaves * size + rest);
        }

        /// The pass that leaves least memory among those that run.
        ForwardEstimate tightest() {
            if (remainder == null) {
                return full;
            }
            if (fullWaves == 0) {
                return remainder;
            }
            return remainder.memory().availableBytes() < full.memory().availableBytes() ? remainder : full;
        }
    }
}
