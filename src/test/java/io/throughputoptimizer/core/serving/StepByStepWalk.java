package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.serving.DecodeFirstScheduler.Step;
import io.throughputoptimizer.core.workload.PrefillChunks;
import io.throughputoptimizer.core.workload.PrefillChunks.Chunk;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/// The chunked prefill simulation as it is specified, one step and one group at a time: the yardstick for the one
/// that jumps.
final class StepByStepWalk {

    /// A step that was run.
    record Ran(long ready, long pending, Chunk chunk, Step step, double endMillis) {}

    /// Time of a pass in ms.
    interface Clock {
        double prefill(long requests, Chunk chunk);

        double decode(long requests);
    }

    private record Pending(long count, int chunk) {}

    private record Ready(long count, int tokensLeft, double firstTokenMillis) {}

    private final PrefillChunks chunks;
    private final DecodeFirstScheduler scheduler;
    private final Clock clock;
    private final int decodeTokens;

    private final Deque<Pending> pending = new ArrayDeque<>();
    private final Deque<Ready> ready = new ArrayDeque<>();
    private final List<Ran> steps = new ArrayList<>();
    private double time;
    private double firstSum;
    private double tpotSum;
    private double lastFinish;
    private long finished;

    StepByStepWalk(PrefillChunks chunks, DecodeFirstScheduler scheduler, Clock clock, int outputTokens) {
        this.chunks = chunks;
        this.scheduler = scheduler;
        this.clock = clock;
        this.decodeTokens = outputTokens - 1;
    }

    void run(long concurrency) {
        pending.add(new Pending(concurrency, 0));
        while (finished < concurrency) {
            step();
        }
    }

    double ttftMillis() {
        return firstSum / finished;
    }

    double tpotMillis() {
        return tpotSum / finished;
    }

    double tokensPerSecond() {
        return 1000.0 * (decodeTokens + 1) * finished / lastFinish;
    }

    List<Ran> steps() {
        return steps;
    }

    private void step() {
        Chunk chunk = chunks.chunk(pending.isEmpty() ? 0 : pending.getFirst().chunk());
        long pendingCount = pending.stream()
                .takeWhile(group -> group.chunk() == chunk.index())
                .mapToLong(Pending::count)
                .sum();
        long readyCount = ready.stream().mapToLong(Ready::count).sum();
        Step step = scheduler.decide(readyCount, pendingCount, chunk.queryLength());
        double prefillMillis = step.prefill() > 0 ? clock.prefill(step.prefill(), chunk) : 0;
        double decodeMillis = step.decode() > 0 ? clock.decode(step.decode()) : 0;
        time += Math.max(prefillMillis, decodeMillis);
        advancePrefill(step.prefill());
        advanceDecode(step.decode());
        steps.add(new Ran(readyCount, pendingCount, chunk, step, time));
    }

    private void advancePrefill(long count) {
        long rest = count;
        while (rest > 0) {
            Pending group = Objects.requireNonNull(pending.pollFirst());
            long taken = Math.min(rest, group.count());
            if (taken < group.count()) {
                pending.addFirst(new Pending(group.count() - taken, group.chunk()));
            }
            rest -= taken;
            if (group.chunk() + 1 < chunks.count()) {
                pending.addLast(new Pending(taken, group.chunk() + 1));
            } else {
                firstSum += taken * time;
                if (decodeTokens > 0) {
                    ready.addLast(new Ready(taken, decodeTokens, time));
                } else {
                    finish(taken);
                }
            }
        }
    }

    private void advanceDecode(long count) {
        long rest = count;
        while (rest > 0) {
            Ready group = Objects.requireNonNull(ready.pollFirst());
            long taken = Math.min(rest, group.count());
            if (taken < group.count()) {
                ready.addFirst(new Ready(group.count() - taken, group.tokensLeft(), group.firstTokenMillis()));
            }
            rest -= taken;
            if (group.tokensLeft() > 1) {
                ready.addLast(new Ready(taken, group.tokensLeft() - 1, group.firstTokenMillis()));
            } else {
                tpotSum += taken * ((time - group.firstTokenMillis()) / decodeTokens);
                finish(taken);
            }
        }
    }

    private void finish(long count) {
        finished += count;
        lastFinish = Math.max(lastFinish, time);
    }
}
