package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.steady.SteadyLaw;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.MixedPass;
import io.throughputoptimizer.core.workload.PrefillChunks;
import io.throughputoptimizer.core.workload.RepresentativeLength;
import io.throughputoptimizer.core.workload.RequestMix;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prefill and decode on the same devices under a load that lasts (aggregation, steady law).
///
/// Clients keep `B` requests outstanding at each data parallel rank, all of which run. The law is [SteadyLaw]'s, with
///
/// - `P` ms of one prompt at each rank, in the pieces that the token budget cuts; of unequal prompts the mean, whose
///   queue is as uneven as their times are
/// - `D` ms of a decode step for one token of each request, halfway through its output; of unequal requests those that
///   the batch holds in the steady state ([DecodeMix][io.throughputoptimizer.core.workload.DecodeMix])
/// - [Accounting#WAVES] requests of a benchmark per outstanding one; an engine that takes no time of its own
///
/// `TPOT = D + (B - 1) P / out` for `out` output tokens, `1000 C out / (TTFT + out TPOT)` output tokens per second.
/// A whole answer takes `TTFT + (out - 1) TPOT` ms in the mean.
/// Sustained are `1000 C / (B P + D out)` requests per second, which the former never exceeds.
final class SteadyServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final InstancePasses passes;
    private final DecodeSteps steps;
    /// Prices of prompts, which no batch size changes.
    private @Nullable Prompts prompts;

    SteadyServing(Deployment deployment, ServingTerms terms, InstancePasses passes) {
        this.deployment = deployment;
        this.terms = terms;
        this.passes = passes;
        this.steps = DecodeSteps.alone(deployment, terms, passes);
    }

    /// One prompt at each rank, in the mean.
    ///
    /// @param unevenness mean of the squares of their times over the square of the mean
    private record Prompts(PhaseCost cost, boolean fits, double millis, double unevenness, int pieces) {}

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        Prompts prompt = prompts();
        if (!prompt.fits) {
            return new ServingPoint(
                    load, Figures.OUT_OF_MEMORY, new PhaseCosts(prompt.cost, null), prompt.pieces, List.of());
        }
        DecodeSteps.Step step = steps.at(load);
        ForwardEstimate decode = step.pass();
        return new ServingPoint(
                load,
                figures(prompt, passes.perToken(decode.latencyMillis()), load),
                new PhaseCosts(prompt.cost, new PhaseCost(decode.breakdown().shares(), decode.memory())),
                prompt.pieces,
                step.samples());
    }

    private Figures figures(Prompts prompt, double decodeMillis, Load load) {
        double outputTokens = terms.workload().outputs().mean();
        SteadyFigures rank = new SteadyLaw.Times(prompt.millis, prompt.unevenness, decodeMillis, outputTokens)
                .figures(load.batchSize(), Accounting.WAVES);
        double ranks = (double) load.concurrency() / load.batchSize();
        return Figures.of(
                        rank.ttft().benchmarkMillis(),
                        rank.tpotMillis(),
                        ranks * rank.outputTokensPerSecond(),
                        ranks * rank.sustainedPerSecond(),
                        deployment.layout())
                .withRequestLatency(rank.requestLatencyMillis(TtftBasis.BENCHMARK));
    }

    /// Several threads may price them at once, and find the same.
    private Prompts prompts() {
        Prompts known = prompts;
        if (known == null) {
            known = switch (terms.workload().lengths()) {
                case Lengths.Fixed _ -> alike();
                case Lengths.Mixed mixed -> unequal(terms.mix(mixed));
            };
            prompts = known;
        }
        return known;
    }

    private Prompts alike() {
        PrefillChunks chunks = terms.chunks();
        Load single = Load.of(1, deployment.layout());
        PrefillTimeline timeline = new PrefillTimeline(terms.accounting(), 0);
        for (int index = 0; index < chunks.count() && !timeline.ended(); index++) {
            timeline.add(passes.prefill(single.concurrency(), chunks.chunk(index), single), 1, 0);
        }
        return new Prompts(cost(timeline), !timeline.ended(), timeline.endMillis(), 1, chunks.count());
    }

    private Prompts unequal(RequestMix mix) {
        PrefillTimeline all = new PrefillTimeline(terms.accounting(), 0);
        double mean = 0;
        double meanSquare = 0;
        int pieces = 0;
        for (RepresentativeLength length : mix.lengths()) {
            Iterator<MixedPass> cut = terms.accounting()
                    .budget()
                    .mixedPasses(List.of(new LengthSamples(length, 1)), terms.maxBatchedTokens());
            double before = all.endMillis();
            int count = 0;
            for (; cut.hasNext() && !all.ended(); count++) {
                all.add(passes.mixedPrefill(cut.next()), 1, 0);
            }
            double millis = all.endMillis() - before;
            mean += length.requestRatio() * millis;
            meanSquare += length.requestRatio() * millis * millis;
            pieces = Math.max(pieces, count);
        }
        return new Prompts(cost(all), !all.ended(), mean, meanSquare / (mean * mean), pieces);
    }

    private static PhaseCost cost(PrefillTimeline timeline) {
        return new PhaseCost(timeline.sharesOfTime(), timeline.memory());
    }
}
