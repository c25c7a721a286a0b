package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.ImageInput;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.PrefillChunks;
import io.throughputoptimizer.core.workload.PrefillChunks.Chunk;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Disaggregated prefill of prompts of one length (disaggregation, prefill).
///
/// Prompts are cut into chunks. Each chunk is computed for all `C` concurrent requests before the next, in waves
/// of the size that the [Accounting] allows; different chunks never share a wave.
///
/// `ttft = servingCost + sum of all waves` in ms: every request finishes with the phase. TPOT is absent.
/// Throughput counts prompt tokens of the original length, those in the prefix cache too.
final class PrefillServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final Lengths.Fixed lengths;
    private final ForwardEstimator estimator;
    private final PrefillChunks chunks;

    PrefillServing(Deployment deployment, ServingTerms terms, Lengths.Fixed lengths, ForwardEstimator estimator) {
        this.deployment = deployment;
        this.terms = terms;
        this.lengths = lengths;
        this.estimator = estimator;
        this.chunks = new PrefillChunks(terms.workload().effectiveInputLength(), terms.maxBatchedTokens());
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        WaveTotals totals = new WaveTotals(terms.servingCostMillis());
        for (int index = 0; index < chunks.count(); index++) {
            addWaves(totals, chunks.chunk(index), load);
        }
        double millis = totals.millis();
        double tokensPerSecond =
                terms.accounting().prefillTokensPerSecond(load.concurrency(), millis, lengths.inputTokens());
        return new ServingPoint(
                load,
                Figures.of(millis, null, tokensPerSecond, deployment.layout()),
                PhaseCosts.ofPrefill(totals.meanShares(), totals.memory()),
                chunks.count(),
                List.of());
    }

    private void addWaves(WaveTotals totals, Chunk chunk, Load load) {
        long size = Math.min(
                load.concurrency(), terms.accounting().prefillWave(load.concurrency(), chunks, chunk.queryLength()));
        totals.add(wave(size, chunk, load), load.concurrency() / size);
        long rest = load.concurrency() % size;
        if (rest > 0) {
            totals.add(wave(rest, chunk, load), 1);
        }
    }

    private ForwardEstimate wave(long requests, Chunk chunk, Load load) {
        @Nullable ImageInput images = RequestImages.of(terms.workload(), load);
        Request request = Request.prefill(chunk.queryLength(), chunk.sequenceLength());
        return estimator.estimate(deployment, new ForwardShape.Uniform(requests, request, images));
    }
}
