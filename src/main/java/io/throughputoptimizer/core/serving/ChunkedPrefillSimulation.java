package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.serving.DecodeFirstScheduler.Step;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.PrefillChunks;
import io.throughputoptimizer.core.workload.PrefillChunks.Chunk;
import org.jspecify.annotations.Nullable;

/// The steps in which an aggregated instance prefills prompts of several chunks and decodes (chunked prefill
/// simulation). Used once, by one thread.
///
/// All `C` requests arrive at once. A step runs the requests that the [DecodeFirstScheduler] picks and takes the
/// longer of its prefill and its decode pass. Requests that finish a chunk go to the back of the line, so that each
/// chunk is done for all before the next one starts for any, and decode begins within the last chunk. A request
/// decodes from the step after its first token on, `out - 1` tokens, taking turns when more are ready than the
/// budget holds.
///
/// `ttft` is the mean time of the first token, `tpot` the mean of `(last - first) / (out - 1)`, waiting between
/// turns included, `ttft + (out - 1) tpot` that of a whole answer, and `1000 out C / end` the
/// throughput in tokens per second. The steps fill all the
/// time that there is, so `1000 C / end` requests per second are sustained.
///
/// **Equal to walking step by step.** No request decodes before the last chunk, so each chunk before it is a row of
/// equal steps and perhaps a shorter one. From then on the steps between two events, a request getting its first
/// token or one getting its last, run the same passes; the [DecodeQueue] skips them at once. Both rows are added to
/// the clock by [RepeatedSum], so it shows the very double that adding step by step gives; so do TTFT and TPOT,
/// since the walk's groups are single requests (a first chunk is as large as the budget, of which a step holds one),
/// added one by one here too.
final class ChunkedPrefillSimulation {
    private final ServingTerms terms;
    private final InstancePasses passes;
    private final PrefillChunks chunks;
    private final Load load;
    private final SimulationAllowance allowance;
    private final DecodeFirstScheduler scheduler;
    private final int decodeTokens;

    private final DecodeQueue decoding = new DecodeQueue();
    private final PhaseCostAccumulator prefillPasses = new PhaseCostAccumulator();
    private final PhaseCostAccumulator decodePasses = new PhaseCostAccumulator();
    private long pending;
    private double clockMillis;
    private double firstTokenSum;
    private double tpotSum;
    /// The passes asked for last: one step after another runs the same.
    private @Nullable PrefillPass lastPrefill;

    private @Nullable DecodePass lastDecode;

    private record PrefillPass(Chunk chunk, long requests, ForwardEstimate estimate) {}

    private record DecodePass(long requests, ForwardEstimate estimate) {}

    /// @param instanceTokenBudget tokens of one step
    /// @param allowance receives each step, and the memory of the decoding requests, whose number is unlimited
    ChunkedPrefillSimulation(
            ServingTerms terms,
            InstancePasses passes,
            long instanceTokenBudget,
            Load load,
            SimulationAllowance allowance) {
        this.terms = terms;
        this.passes = passes;
        this.chunks = terms.chunks();
        this.load = load;
        this.allowance = allowance;
        this.scheduler = new DecodeFirstScheduler(instanceTokenBudget);
        this.decodeTokens = terms.workload().outputTokens() - 1;
        this.pending = load.concurrency();
    }

    /// Runs to the end.
    void run() {
        int last = chunks.count() - 1;
        for (int index = 0; index < last; index++) {
            prefillForAll(chunks.chunk(index));
        }
        Chunk lastChunk = chunks.chunk(last);
        while (pending + decoding.requests() > 0) {
            runToNextEvent(lastChunk);
        }
    }

    /// Returns latencies and throughput.
    Figures figures(ParallelLayout layout) {
        double concurrency = load.concurrency();
        double tokens = concurrency * terms.workload().outputTokens();
        double ttftMillis = firstTokenSum / concurrency;
        double tpotMillis = tpotSum / concurrency;
        return Figures.of(
                ttftMillis,
                tpotMillis,
                1000 * tokens / clockMillis,
                Figures.perSecond(concurrency, clockMillis),
                ttftMillis + decodeTokens * tpotMillis,
                null,
                layout);
    }

    PhaseCosts costs() {
        return new PhaseCosts(prefillPasses.cost(), decodePasses.cost());
    }

    private void prefillForAll(Chunk chunk) {
        long size = scheduler.decide(0, load.concurrency(), chunk.queryLength()).prefill();
        prefill(chunk, size, load.concurrency() / size);
        long rest = load.concurrency() % size;
        if (rest > 0) {
            prefill(chunk, rest, 1);
        }
    }

    private void prefill(Chunk chunk, long requests, long steps) {
        double millis = stepMillis(chunk, new Step(requests, 0));
        clockMillis = RepeatedSum.add(clockMillis, millis, steps);
    }

    /// An event is a request getting its first token or one getting its last.
    private void runToNextEvent(Chunk last) {
        Step step = scheduler.decide(decoding.requests(), pending, last.queryLength());
        double millis = stepMillis(last, step);
        long steps = step.prefill() > 0 ? 1 : decoding.stepsUntilCompletion(step.decode());
        if (steps > 1) {
            decoding.skip(step.decode(), steps - 1);
        }
        clockMillis = RepeatedSum.add(clockMillis, millis, steps);
        pending -= step.prefill();
        firstTokenSum = RepeatedSum.add(firstTokenSum, clockMillis, step.prefill());
        if (decodeTokens > 0) {
            for (DecodeQueue.Completion done :
                    decoding.step(step.decode(), step.prefill(), decodeTokens, clockMillis)) {
                double tpot = (clockMillis - done.firstTokenMillis()) / decodeTokens;
                tpotSum = RepeatedSum.add(tpotSum, tpot, done.requests());
            }
            allowance.require(decoding.bytes());
        }
    }

    private double stepMillis(Chunk chunk, Step step) {
        allowance.stepped();
        double prefillMillis = 0;
        if (step.prefill() > 0) {
            ForwardEstimate pass = prefillPass(chunk, step);
            prefillMillis = pass.latencyMillis();
            prefillPasses.add(pass);
        }
        double decodeMillis = 0;
        if (step.decode() > 0) {
            ForwardEstimate pass = decodePass(step.decode());
            decodeMillis = passes.perToken(pass.latencyMillis());
            decodePasses.add(pass);
        }
        return Math.max(prefillMillis, decodeMillis);
    }

    private ForwardEstimate prefillPass(Chunk chunk, Step step) {
        PrefillPass known = lastPrefill;
        if (known != null && known.requests == step.prefill() && known.chunk.equals(chunk)) {
            return known.estimate;
        }
        ForwardEstimate estimate = passes.prefill(step.prefill(), chunk, load);
        lastPrefill = new PrefillPass(chunk, step.prefill(), estimate);
        return estimate;
    }

    private ForwardEstimate decodePass(long requests) {
        DecodePass known = lastDecode;
        if (known != null && known.requests == requests) {
            return known.estimate;
        }
        ForwardEstimate estimate = passes.decode(requests, load);
        lastDecode = new DecodePass(requests, estimate);
        return estimate;
    }

    /// The time shares of a phase's first pass, and the tightest memory footprint of all its passes.
    static final class PhaseCostAccumulator {
        private @Nullable BoundShares firstShares;
        private @Nullable MemoryFootprint leastFree;

        void add(ForwardEstimate pass) {
            if (firstShares == null) {
                firstShares = pass.breakdown().shares();
            }
            if (leastFree == null || pass.memory().availableBytes() < leastFree.availableBytes()) {
                leastFree = pass.memory();
            }
        }

        /// Absent when no pass was added.
        @Nullable
        PhaseCost cost() {
            return firstShares == null || leastFree == null ? null : new PhaseCost(firstShares, leastFree);
        }
    }
}
