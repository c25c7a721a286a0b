package io.throughputoptimizer.sweep;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.sweep.SweepCellResponse;
import io.throughputoptimizer.api.sweep.SweepGrid;
import io.throughputoptimizer.api.sweep.SweepReader;
import io.throughputoptimizer.api.sweep.SweepRequest.SubmittedSweep;
import io.throughputoptimizer.job.JobColumns;
import io.throughputoptimizer.job.JobProblems;
import io.throughputoptimizer.job.JobQueue;
import io.throughputoptimizer.job.JobQueue.Completion;
import io.throughputoptimizer.job.ProgressMonitor;
import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import io.throughputoptimizer.job.RunningTask;
import io.throughputoptimizer.job.RunningTasks;
import io.throughputoptimizer.job.StoredTextException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.support.TransactionTemplate;

/// Validates the cells of a sweep that rejects invalid ones, and then searches them chunk by chunk. Saves the
/// rows of a chunk in one transaction. Thread-safe.
final class SweepWorker implements JobQueue.Worker {
    private static final Logger log = LoggerFactory.getLogger(SweepWorker.class);
    private static final long SAVED_EVERY = Duration.ofMillis(500).toNanos();

    private final SweepStore store;
    private final TransactionTemplate transaction;
    private final SweepCells cells;
    private final RunningTasks running;
    private final Clock clock;

    /// A sweep as workers need it.
    private record Work(Sweep sweep, SweepGrid grid, MeasurementSets sets) {}

    SweepWorker(
            SweepStore store, TransactionTemplate transaction, SweepCells cells, RunningTasks running, Clock clock) {
        this.store = store;
        this.transaction = transaction;
        this.cells = cells;
        this.running = running;
        this.clock = clock;
    }

    @Override
    public Completion run(String entry, JobQueue queue) {
        UUID id = RunningTask.id(entry);
        Optional<Work> work = store.begin(id, JobColumns.now(clock)) ? work(id) : Optional.empty();
        if (work.isEmpty()) {
            return Completion.ENDED;
        }
        ProgressMonitor monitor = new ProgressMonitor();
        RunningTask task = new RunningTask(entry, 1, JobColumns.now(clock), monitor);
        running.add(task);
        try {
            OptionalInt chunk = Sweep.chunk(entry);
            if (chunk.isPresent()) {
                search(work.get(), chunk.getAsInt(), monitor);
            } else {
                check(work.get(), monitor, queue);
            }
        } catch (CancellationException _) {
            // The monitor has the reason.
        } finally {
            running.remove(task);
        }
        if (monitor.isStopped(StopReason.LOST)) {
            return Completion.LOST;
        }
        return monitor.isStopped(StopReason.HANDED_BACK) ? Completion.HANDED_BACK : Completion.ENDED;
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
            store.fail(id, JobProblems.unreadable(e), JobColumns.now(clock));
        } catch (InvalidRequestException e) {
            log.error("the request of sweep {} is no longer valid", id, e);
            store.fail(id, Problem.invalidBody(e.violations()), JobColumns.now(clock));
        }
        return Optional.empty();
    }

    /// Validates the cells that were not validated when the sweep was submitted, and queues the chunks.
    private void check(Work work, ProgressMonitor monitor, JobQueue queue) {
        UUID id = work.sweep.id();
        List<Violation> broken = new ArrayList<>();
        int checked = work.sweep.standing().progress().checked();
        long savedAt = System.nanoTime();
        for (; checked < work.grid.cells() && broken.size() <= Problem.MOST_ERRORS; checked++) {
            if (monitor.cancelled()) {
                return;
            }
            broken.addAll(cells.judge(work.grid, checked, work.sets));
            if (System.nanoTime() - savedAt > SAVED_EVERY) {
                // A restart need not validate those before the first invalid one again.
                if (broken.isEmpty() && !store.saveChecked(id, checked)) {
                    return;
                }
                savedAt = System.nanoTime();
            }
        }
        if (broken.isEmpty()) {
            transaction.executeWithoutResult(_ -> {
                if (store.saveChecked(id, work.grid.cells())) {
                    queue.add(work.sweep.chunkEntries(), work.sweep.submittedAt());
                }
            });
            queue.wake();
        } else {
            store.fail(id, Problem.invalidBody(broken), JobColumns.now(clock));
        }
    }

    /// @throws CancellationException if it was stopped
    private void search(Work work, int chunk, ProgressMonitor monitor) {
        List<SweepCellResponse> rows = new ArrayList<>();
        for (int cell : work.sweep.cells(chunk)) {
            monitor.failWhenCancelled();
            rows.add(cells.search(work.grid, cell, work.sets, monitor));
        }
        save(work.sweep, chunk, rows);
    }

    /// Saves the rows of a chunk once, also if the chunk was presumed lost and ran twice.
    private void save(Sweep sweep, int chunk, List<SweepCellResponse> rows) {
        try {
            transaction.executeWithoutResult(saved -> {
                if (!store.finish(sweep.id(), chunk, rows, JobColumns.now(clock))) {
                    saved.setRollbackOnly();
                }
            });
        } catch (DuplicateKeyException _) {
            log.warn("chunk {} of sweep {} has been saved already", chunk, sweep.id());
        }
    }

    /// The sweep goes on running.
    @Override
    public void requeue(String entry) {}

    /// Fails the cells of a chunk; the other chunks go on.
    @Override
    public void giveUp(String entry, Problem problem) {
        UUID id = RunningTask.id(entry);
        OptionalInt chunk = Sweep.chunk(entry);
        if (chunk.isEmpty()) {
            store.fail(id, problem, JobColumns.now(clock));
            return;
        }
        work(id).ifPresent(work -> save(
                work.sweep,
                chunk.getAsInt(),
                IntStream.of(work.sweep.cells(chunk.getAsInt()))
                        .mapToObj(cell -> SweepCells.failed(work.grid, cell, problem))
                        .toList()));
    }

    @Override
    public void synchronize(Set<RunningTask> tasks) {
        Set<UUID> unfinished =
                store.unfinished(tasks.stream().map(RunningTask::id).collect(Collectors.toSet()));
        tasks.stream()
                .filter(task -> !unfinished.contains(task.id()))
                .forEach(task -> task.monitor().stop(StopReason.CANCELLED));
    }
}
