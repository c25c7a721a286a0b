package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.load.CachePressure;
import io.throughputoptimizer.core.load.CacheUse;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.MixedPass;
import io.throughputoptimizer.core.workload.PrefillChunks;
import io.throughputoptimizer.core.workload.RepresentativeLength;
import io.throughputoptimizer.core.workload.RequestMix;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.Iterator;
import java.util.List;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/// Prefill and decode on the same devices under a load that lasts (aggregation, steady law).
///
/// Clients keep `B` requests outstanding at each data parallel rank, which all run. The law is [SteadyLaw]'s, with
///
/// - `P` ms of one prompt at each rank, in the pieces that the token budget cuts; of unequal prompts the mean, whose
///   queue is as uneven as their times are
/// - `D` ms of a decode step for one token of each request, halfway through its output; of unequal requests those that
///   the batch holds in the steady state ([DecodeMix][io.throughputoptimizer.core.workload.DecodeMix])
/// - [Accounting#WAVES] requests of a benchmark per outstanding one; an engine that takes no time of its own
///
/// `TPOT = D + (B - 1) P / out` for `out` output tokens, `1000 C out / (TTFT + out TPOT)` output tokens per second.
/// A whole answer takes `TTFT + (out - 1) TPOT` ms in the mean.
/// Turns of conversations find the turn before as far as the cache has room for it ([CachePressure]).
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
        this.steps = DecodeSteps.of(deployment, terms, passes);
    }

    /// One prompt at each rank, in the mean.
    ///
    /// @param found prompts of turns that find the turn before; all prompts without conversations
    /// @param lost prompts of turns that do not; all prompts without conversations
    private record Prompts(
            PhaseCost cost, boolean fits, MeanRequest.Prompts found, MeanRequest.Prompts lost, int pieces) {

        /// Returns the mean of both prompts, with `share` of the turns finding the turn before.
        private MeanRequest.Prompts mean(double share) {
            return share == 1 ? found : MeanRequest.Prompts.of(found, lost, share);
        }
    }

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
        PhaseCosts costs =
                new PhaseCosts(prompt.cost, new PhaseCost(decode.breakdown().shares(), decode.memory()));
        return new ServingPoint(
                load,
                figures(rank(prompt, passes.perToken(decode.latencyMillis()), load, costs.memory()), load),
                costs,
                prompt.pieces,
                step.samples());
    }

    /// @param memory footprint of the pass that leaves least memory
    private SteadyFigures rank(Prompts prompt, double decodeMillis, Load load, MemoryFootprint memory) {
        double outputTokens = terms.workload().outputs().mean();
        DoubleFunction<SteadyFigures> law = found -> {
            MeanRequest.Prompts mean = prompt.mean(found);
            return new SteadyLaw.Times(mean.millis(), mean.unevenness(), decodeMillis, outputTokens)
                    .figures(load.batchSize(), Accounting.WAVES);
        };
        Conversation conversation = terms.workload().conversation();
        return conversation == null
                ? law.apply(1)
                : new CachePressure(conversation, CacheUse.TOKENS, cacheTokens(memory)).settled(law);
    }

    /// Tokens that the KV cache of a pipeline stage holds of each of its batches.
    private double cacheTokens(MemoryFootprint memory) {
        double bytes = memory.kvCacheBytes() + memory.availableBytes();
        return bytes
                / memory.kvCacheBytesPerToken()
                * deployment.cacheCapacityFactor()
                / deployment.layout().pp();
    }

    private Figures figures(SteadyFigures rank, Load load) {
        double ranks = (double) load.concurrency() / load.batchSize();
        return Figures.of(
                rank.ttft().benchmarkMillis(),
                rank.tpotMillis(),
                ranks * rank.outputTokensPerSecond(),
                ranks * rank.sustainedPerSecond(),
                rank.requestLatencyMillis(TtftBasis.BENCHMARK),
                rank.kept(),
                deployment.layout());
    }

    /// Several threads may price them at once, and find the same.
    private Prompts prompts() {
        Prompts known = prompts;
        if (known == null) {
            known = switch (terms.workload().lengths()) {
                case Lengths.Fixed _ -> alike();
                case Lengths.Mixed mixed -> turnsOr(mixed);
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
        MeanRequest.Prompts all = new MeanRequest.Prompts(timeline.endMillis(), 1);
        return new Prompts(cost(timeline), !timeline.ended(), all, all, chunks.count());
    }

    /// Turns that have lost the one before have the longest passes, and must fit too.
    private Prompts turnsOr(Lengths.Mixed mixed) {
        Conversation conversation = terms.workload().conversation();
        if (conversation == null) {
            return unequal(terms.mix(mixed));
        }
        Prompts lost = unequal(conversation.mix(false));
        Prompts found = unequal(conversation.mix(true));
        return new Prompts(
                new PhaseCost(found.cost.shares(), lost.cost.memory()),
                lost.fits,
                found.found,
                lost.found,
                lost.pieces);
    }

    private Prompts unequal(RequestMix mix) {
        PrefillTimeline all = new PrefillTimeline(terms.accounting(), 0);
        double mean = 0;
        double meanSquare = 0;
        int pieces = 0;
        for (RepresentativeLength length : mix.lengths()) {
            Iterator<MixedPass> cut =
                    MixedPass.cut(List.of(new LengthSamples(length, null, 1)), terms.maxBatchedTokens());
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
        MeanRequest.Prompts times = new MeanRequest.Prompts(mean, meanSquare / (mean * mean));
        return new Prompts(cost(all), !all.ended(), times, times, pieces);
    }

    private static PhaseCost cost(PrefillTimeline timeline) {
        return new PhaseCost(timeline.sharesOfTime(), timeline.memory());
    }
}
