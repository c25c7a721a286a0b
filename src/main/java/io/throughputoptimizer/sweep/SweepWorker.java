package io.throughputoptimizer.sweep;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.CompletionHandler.OnCompleteRemove;
import com.github.kagkarlsson.scheduler.task.Execution;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.sweep.SubmittedSweep;
import io.throughputoptimizer.api.sweep.SweepCellResponse;
import io.throughputoptimizer.api.sweep.SweepGrid;
import io.throughputoptimizer.api.sweep.SweepReader;
import io.throughputoptimizer.job.JobProblems;
import io.throughputoptimizer.job.JobQueue;
import io.throughputoptimizer.job.StoredTextException;
import io.throughputoptimizer.sweep.CellMonitor.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.support.TransactionTemplate;

/// Takes parts of sweeps from the queue: judges the cells of one that refuses invalid ones, and then searches them
/// chunk by chunk. The rows of a chunk are kept in one transaction, when it has them all. Thread-safe.
final class SweepWorker implements JobQueue.Worker {
    private static final Logger log = LoggerFactory.getLogger(SweepWorker.class);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(2);
    private static final long SAVED_EVERY = Duration.ofMillis(500).toNanos();

    private final SweepStore store;
    private final SweepTransitions transitions;
    private final TransactionTemplate transaction;
    private final SweepCells cells;
    private final RunningChunks running;
    private final int attempts;
    private final Supplier<Instant> now;
    private final Runnable changed;
    private @Nullable JobQueue queue;

    /// A sweep as workers need it.
    private record Work(Sweep sweep, SweepGrid grid, MeasurementSets sets) {}

    /// @param attempts to run a part whose worker dies or whose database fails
    /// @param changed callback after each change that a caller might wait for
    SweepWorker(
            SweepStore store,
            SweepTransitions transitions,
            TransactionTemplate transaction,
            SweepCells cells,
            RunningChunks running,
            int attempts,
            Supplier<Instant> now,
            Runnable changed) {
        this.store = store;
        this.transitions = transitions;
        this.transaction = transaction;
        this.cells = cells;
        this.running = running;
        this.attempts = attempts;
        this.now = now;
        this.changed = changed;
    }

    /// Says where chunks go whose sweep was judged here; once, before anything runs.
    void attach(JobQueue chunks) {
        queue = chunks;
    }

    @Override
    public CompletionHandler<Void> run(TaskInstance<Void> entry, ExecutionContext context) {
        SweepPart part = SweepPart.of(entry.getId());
        if (!transitions.begin(part.sweep(), now.get())) {
            return new OnCompleteRemove<>();
        }
        Optional<Work> work = work(part.sweep());
        if (work.isEmpty()) {
            return new OnCompleteRemove<>();
        }
        RunningChunks.Running here = running.add(part);
        CellMonitor monitor = here.monitor();
        try {
            if (part.isCheck()) {
                check(work.get(), monitor);
            } else {
                search(work.get(), part.chunk(), monitor);
            }
        } catch (CancellationException _) {
            // Why, says the monitor.
        } finally {
            running.remove(here);
        }
        changed.run();
        return monitor.stopReason() == StopReason.HANDED_BACK
                ? handedBack(context.getExecution())
                : new OnCompleteRemove<>();
    }

    /// The entry keeps its place.
    private static CompletionHandler<Void> handedBack(Execution execution) {
        return (completed, entries) -> entries.reschedule(completed, execution.executionTime);
    }

    /// Returns the work of a sweep, or empty if the sweep is deleted or cannot be read, which ends it.
    private Optional<Work> work(UUID id) {
        try {
            Sweep sweep = store.find(id).orElse(null);
            String json = store.request(id).orElse(null);
            if (sweep == null || json == null) {
                return Optional.empty();
            }
            SweepGrid grid = new SweepReader(Integer.MAX_VALUE).read(SubmittedSweep.stored(json));
            return Optional.of(new Work(sweep, grid, cells.sets(sweep.origin().owner())));
        } catch (StoredTextException e) {
            log.error("the request of sweep {} cannot be read", id, e);
            transitions.fail(id, JobProblems.unreadable(e), now.get());
        } catch (InvalidRequestException e) {
            log.error("the request of sweep {} is none any more", id, e);
            transitions.fail(id, Problem.invalidBody(e.violations()), now.get());
        }
        changed.run();
        return Optional.empty();
    }

    /// Judges the cells that were not judged when the sweep was submitted.
    private void check(Work work, CellMonitor monitor) {
        UUID id = work.sweep.id();
        List<Violation> broken = new ArrayList<>();
        int checked = work.sweep.standing().progress().checked();
        long savedAt = System.nanoTime();
        for (; checked < work.grid.cells() && broken.size() <= Problem.MOST_ERRORS; checked++) {
            if (monitor.stopReason() != null) {
                return;
            }
            broken.addAll(cells.judge(work.grid, checked, work.sets));
            if (System.nanoTime() - savedAt > SAVED_EVERY) {
                // Those before the first invalid one need not be judged again by whoever goes on.
                if (broken.isEmpty() && !transitions.saveChecked(id, checked)) {
                    return;
                }
                savedAt = System.nanoTime();
            }
        }
        if (broken.isEmpty()) {
            transaction.executeWithoutResult(_ -> {
                if (transitions.saveChecked(id, work.grid.cells())) {
                    addChunks(work.sweep);
                }
            });
            Objects.requireNonNull(queue).wake();
        } else {
            transitions.fail(id, Problem.invalidBody(broken), now.get());
        }
    }

    /// Adds the chunks of a sweep whose cells were judged, in the caller's transaction.
    void addChunks(Sweep sweep) {
        Objects.requireNonNull(queue)
                .addAll(
                        IntStream.range(0, sweep.chunks())
                                .mapToObj(chunk -> new SweepPart(sweep.id(), chunk).entry())
                                .toList(),
                        sweep.submittedAt());
    }

    /// @throws CancellationException if it was stopped
    private void search(Work work, int chunk, CellMonitor monitor) {
        List<SweepCellResponse> rows = new ArrayList<>();
        for (int cell : cells(work.sweep, chunk)) {
            if (monitor.stopReason() != null) {
                return;
            }
            rows.add(cells.search(work.grid, cell, work.sets, monitor));
        }
        keep(work.sweep, chunk, rows);
    }

    private static int[] cells(Sweep sweep, int chunk) {
        int first = chunk * sweep.chunkCells();
        return IntStream.range(first, Math.min(sweep.cells(), first + sweep.chunkCells()))
                .toArray();
    }

    /// Saves the rows of a chunk once, also if the chunk was presumed lost and ran twice.
    private void keep(Sweep sweep, int chunk, List<SweepCellResponse> rows) {
        try {
            transaction.executeWithoutResult(kept -> {
                if (!transitions.finish(sweep.id(), chunk, rows, now.get())) {
                    kept.setRollbackOnly();
                }
            });
        } catch (DuplicateKeyException _) {
            log.warn("chunk {} of sweep {} has been kept already", chunk, sweep.id());
        }
    }

    /// The worker of an entry is no more: its heartbeats stopped. When that happens again the chunk may be what ends
    /// the service, and goes behind those that wait.
    @Override
    public void recover(ExecutionComplete completed, ExecutionOperations<Void> entries) {
        Execution execution = completed.getExecution();
        log.warn("{} of a sweep was interrupted: the replica that ran it is gone", execution.taskInstance.getId());
        tryAgain(completed, entries, execution.consecutiveFailures > 0 ? now.get() : execution.executionTime);
    }

    /// Handles a database failure while starting or saving a chunk.
    @Override
    public void retry(ExecutionComplete completed, ExecutionOperations<Void> entries) {
        tryAgain(completed, entries, now.get().plus(PAUSE_AFTER_FAILURE));
    }

    private void tryAgain(ExecutionComplete completed, ExecutionOperations<Void> entries, Instant at) {
        Execution execution = completed.getExecution();
        int failures = execution.consecutiveFailures + 1;
        if (failures < attempts) {
            entries.reschedule(completed, at);
        } else {
            giveUp(SweepPart.of(execution.taskInstance.getId()), JobProblems.interrupted(failures));
            entries.remove();
        }
        changed.run();
    }

    /// The other chunks go on.
    private void giveUp(SweepPart part, Problem problem) {
        if (part.isCheck()) {
            transitions.fail(part.sweep(), problem, now.get());
            return;
        }
        work(part.sweep())
                .ifPresent(work -> keep(
                        work.sweep,
                        part.chunk(),
                        IntStream.of(cells(work.sweep, part.chunk()))
                                .mapToObj(cell -> SweepCells.failed(work.grid, cell, problem))
                                .toList()));
    }
}
