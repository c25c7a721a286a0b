package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.PrefillChunks.Chunk;
import java.util.List;

/// Prefill and decode on the same devices, prompts of one length and one chunk each (aggregation, wave formula).
///
/// The `C` concurrent requests are prefilled in waves of `W = budget // L` requests, so that a request of the k-th
/// wave waits for k waves, then all decode together:
///
/// - `ttft = (W P (1 + n) n / 2 + (n P + R) r) / C` in ms, of `n = C // W` full waves of `P` ms each and a
///   remainder wave of `r = C % W` requests and `R` ms
/// - `tpot = (ttft + D out) / out` in ms, of `out` output tokens at `D` ms each: TTFT is shared out over the tokens
/// - outputs may differ: `out` is their mean then, and `D` that of the classes that the batch holds ([DecodeMix])
/// - `1000 out C / requestMillis` output tokens per second, where the [TpotLaw] says what a request takes
/// - `out tpot` ms for a whole answer in the mean, since TPOT has all of its time
/// - `1000 C / (n P + R + D out)` requests per second sustained: all waves count, which TTFT has the mean of
final class AggregatedServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final InstancePasses passes;
    private final DecodeSteps steps;
    private final Chunk prompt;
    private final long waveSize;

    AggregatedServing(Deployment deployment, ServingTerms terms, InstancePasses passes, Chunk prompt) {
        this.deployment = deployment;
        this.terms = terms;
        this.passes = passes;
        this.steps = DecodeSteps.besidePrefill(deployment, terms, passes);
        this.prompt = prompt;
        this.waveSize = terms.instanceTokenBudget(deployment.layout()) / prompt.queryLength();
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        PrefillWaves waves = prefillWaves(load);
        PhaseCost prefill =
                new PhaseCost(waves.any().breakdown().shares(), waves.tightest().memory());
        if (terms.accounting().waves().givesUpAfter(waves.tightest())) {
            return point(load, Figures.OUT_OF_MEMORY, new PhaseCosts(prefill, null), List.of());
        }
        DecodeSteps.Step step = steps.at(load);
        ForwardEstimate decode = step.pass();
        return point(
                load,
                figures(waves, passes.perToken(decode.latencyMillis()), load),
                new PhaseCosts(prefill, new PhaseCost(decode.breakdown().shares(), decode.memory())),
                step.samples());
    }

    private PrefillWaves prefillWaves(Load load) {
        long fullWaves = load.concurrency() / waveSize;
        long rest = load.concurrency() % waveSize;
        WavePolicy policy = terms.accounting().waves();
        ForwardEstimate full = policy.pricesFullWave(fullWaves) ? passes.prefill(waveSize, prompt, load) : null;
        boolean enough = rest == 0 || (full != null && policy.givesUpAfter(full));
        return new PrefillWaves(waveSize, fullWaves, rest, full, enough ? null : passes.prefill(rest, prompt, load));
    }

    private Figures figures(PrefillWaves waves, double decodeMillis, Load load) {
        double ttftMillis = waves.meanCompletionMillis();
        double outputTokens = terms.workload().outputs().mean();
        TpotLaw law = terms.accounting().tpot();
        double tpotMillis = law.tpotMillis(ttftMillis, decodeMillis, outputTokens);
        double requestMillis = law.requestMillis(ttftMillis, decodeMillis, outputTokens);
        double tokensPerSecond = 1000.0 * (outputTokens * load.concurrency()) / requestMillis;
        double sustained = Figures.perSecond(load.concurrency(), waves.totalMillis() + decodeMillis * outputTokens);
        return Figures.of(ttftMillis, tpotMillis, tokensPerSecond, sustained, deployment.layout())
                .withRequestLatency(outputTokens * tpotMillis);
    }

    private static ServingPoint point(Load load, Figures figures, PhaseCosts costs, List<LengthSamples> mix) {
        return new ServingPoint(load, figures, costs, 1, mix);
    }
}
