package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.PrefillChunks;
import io.throughputoptimizer.core.workload.PrefillChunks.Chunk;
import java.util.List;

/// Disaggregated prefill of prompts of one length (disaggregation, prefill).
///
/// Prompts are cut into chunks. Each chunk is computed for all `C` concurrent requests before the next, in waves
/// of the size that the [Accounting] allows; different chunks never share a wave.
///
/// The phase takes `servingCost + sum of all waves` in ms; [Accounting] says what TTFT is. TPOT is absent.
/// Throughput counts prompt tokens of the original length, those in the prefix cache too. Sustained are `1000
/// C` requests per second divided by what the phase takes.
final class PrefillServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final InstancePasses passes;
    private final Lengths.Fixed lengths;
    private final PrefillChunks chunks;

    PrefillServing(Deployment deployment, ServingTerms terms, InstancePasses passes, Lengths.Fixed lengths) {
        this.deployment = deployment;
        this.terms = terms;
        this.passes = passes;
        this.lengths = lengths;
        this.chunks = terms.chunks();
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        PrefillTimeline timeline = new PrefillTimeline(terms.accounting(), terms.servingCostMillis());
        for (int index = 0; index < chunks.count() && !timeline.ended(); index++) {
            addWaves(timeline, chunks.chunk(index), load);
        }
        double tokensPerSecond = terms.accounting()
                .promptTokensPerSecond(load.concurrency(), timeline.endMillis(), lengths.inputTokens());
        double ttftMillis = terms.accounting().ttftMillis(timeline);
        return new ServingPoint(
                load,
                Figures.of(
                        ttftMillis,
                        null,
                        tokensPerSecond,
                        Figures.perSecond(load.concurrency(), timeline.ended() ? 0 : timeline.endMillis()),
                        ttftMillis,
                        null,
                        deployment.layout()),
                PhaseCosts.ofPrefill(timeline.meanShares(), timeline.memory()),
                chunks.count(),
                List.of());
    }

    private void addWaves(PrefillTimeline timeline, Chunk chunk, Load load) {
        long size = Math.min(load.concurrency(), waveSize(load, chunk));
        boolean completing = chunk.index() == chunks.count() - 1 && !isOnePass(size, load);
        timeline.add(passes.prefill(size, chunk, load), load.concurrency() / size, completing ? size : 0);
        long rest = load.concurrency() % size;
        if (rest > 0 && !timeline.ended()) {
            timeline.add(passes.prefill(rest, chunk, load), 1, completing ? rest : 0);
        }
    }

    /// Requests that one pass prefills are done with the phase: a mean over them would only round once more.
    private boolean isOnePass(long size, Load load) {
        return chunks.count() == 1 && size == load.concurrency();
    }

    private long waveSize(Load load, Chunk chunk) {
        long budget = terms.instanceTokenBudget(deployment.layout());
        return terms.accounting().waveSize(load.concurrency(), budget, chunks.count(), chunk.queryLength());
    }
}
