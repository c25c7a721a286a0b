package io.throughputoptimizer.sweep;

import io.micrometer.core.instrument.MeterRegistry;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.sweep.SweepGrid;
import io.throughputoptimizer.api.sweep.SweepReader;
import io.throughputoptimizer.api.sweep.SweepRequest.OnInvalid;
import io.throughputoptimizer.api.sweep.SweepRequest.SubmittedSweep;
import io.throughputoptimizer.api.sweep.SweepResponse.SweepProgress;
import io.throughputoptimizer.job.Admission;
import io.throughputoptimizer.job.JobColumns;
import io.throughputoptimizer.job.JobIds;
import io.throughputoptimizer.job.JobQueue;
import io.throughputoptimizer.job.JobSettings;
import io.throughputoptimizer.job.Origin;
import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import io.throughputoptimizer.job.RunningTasks;
import io.throughputoptimizer.job.Submission;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.context.SmartLifecycle;

/// Accepts sweeps, queues their chunks for all replicas, and ends canceled sweeps. Thread-safe.
public final class SweepRunner implements SmartLifecycle {
    /// Time in ns for which cells are validated before the sweep is accepted.
    private static final long PATIENCE = Duration.ofSeconds(1).toNanos();

    private final JobQueue.Persistence<SweepStore, Sweep.Standing> persistence;
    private final SweepCells cells;
    private final int maximumCells;
    private final RunningTasks running = new RunningTasks();
    private final JobQueue queue;
    private final Admission<SubmittedSweep, Sweep> admission;
    private final Clock clock;
    private final JobIds ids;

    /// @param maximumCells maximum cells of a sweep
    public SweepRunner(
            JobQueue.Persistence<SweepStore, Sweep.Standing> persistence,
            SweepCells cells,
            JobSettings settings,
            int maximumCells,
            MeterRegistry meters,
            Clock clock) {
        this.persistence = persistence;
        this.cells = cells;
        this.maximumCells = maximumCells;
        this.clock = clock;
        this.ids = new JobIds(clock);
        this.queue = new JobQueue(
                persistence,
                new SweepWorker(persistence.store(), persistence.transaction(), cells, running, clock),
                running,
                new JobQueue.Kind("sweep", "sweep_task", "sweep"),
                settings,
                new JobQueue.Tools(clock, meters));
        this.admission = new Admission<>(
                persistence.store(),
                persistence.transaction(),
                queue,
                settings.capacity().queued());
    }

    /// Accepts a sweep, unless its idempotency key is known. Cells are validated for a moment while the
    /// caller waits, and the others before any is searched.
    ///
    /// @throws InvalidRequestException naming the field at fault, or the cell where one was validated already
    public Submission<Sweep> submit(SubmittedSweep asked, Origin origin) {
        SweepGrid grid = new SweepReader(maximumCells).read(asked);
        return admission.submit(asked, origin, () -> queued(asked, grid, origin));
    }

    private Sweep queued(SubmittedSweep asked, SweepGrid grid, Origin origin) {
        int checked = checked(asked, grid, cells.sets(origin.owner()));
        SweepProgress progress = new SweepProgress(grid.cells(), checked, 0, 0, 0, 0, 0);
        return new Sweep(
                new Sweep.Standing(ids.next(), JobStatus.QUEUED, progress),
                null,
                JobColumns.now(clock),
                null,
                null,
                Sweep.chunkCells(grid.cells()),
                origin,
                null);
    }

    private int checked(SubmittedSweep asked, SweepGrid grid, MeasurementSets named) {
        if (asked.request().onInvalid() == OnInvalid.SKIP) {
            return grid.cells();
        }
        long startedAt = System.nanoTime();
        List<Violation> broken = new ArrayList<>();
        int cell = 0;
        while (cell < grid.cells()
                && broken.size() <= Problem.MOST_ERRORS
                && System.nanoTime() - startedAt < PATIENCE) {
            broken.addAll(cells.judge(grid, cell, named));
            cell++;
        }
        if (!broken.isEmpty()) {
            throw new InvalidRequestException(broken);
        }
        return cell;
    }

    /// Cancels a queued or running sweep on any replica; its rows stay. A finished sweep does not change.
    ///
    /// @return true if it was queued or running
    public boolean cancel(UUID id) {
        boolean cancelled = Boolean.TRUE.equals(persistence.transaction().execute(_ -> {
            boolean ends = persistence.store().cancel(id, JobColumns.now(clock));
            if (ends) {
                queue.remove(id);
            }
            return ends;
        }));
        if (cancelled) {
            running.stop(id, StopReason.CANCELLED);
        }
        persistence.events().check();
        return cancelled;
    }

    /// Deletes a finished sweep with its rows.
    public void remove(UUID id) {
        persistence.store().remove(id);
    }

    @Override
    public void start() {
        queue.start();
    }

    @Override
    public void stop() {
        queue.stop(() -> {});
    }

    @Override
    public boolean isRunning() {
        return queue.isRunning();
    }
}
