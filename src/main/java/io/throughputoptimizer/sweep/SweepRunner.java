package io.throughputoptimizer.sweep;

import io.micrometer.core.instrument.MeterRegistry;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.sweep.SubmittedSweep;
import io.throughputoptimizer.api.sweep.SweepGrid;
import io.throughputoptimizer.api.sweep.SweepProgress;
import io.throughputoptimizer.api.sweep.SweepReader;
import io.throughputoptimizer.api.sweep.SweepRequest.OnInvalid;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.JobIds;
import io.throughputoptimizer.job.JobQueue;
import io.throughputoptimizer.job.JobRetention;
import io.throughputoptimizer.job.Origin;
import io.throughputoptimizer.job.QueueMaintenance;
import io.throughputoptimizer.quota.CallerQuota;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// Accepts sweeps, queues their chunks for all replicas, and ends canceled sweeps. Thread-safe.
public final class SweepRunner implements SmartLifecycle {
    /// Time in ns for which cells are validated before the sweep is accepted.
    private static final long PATIENCE = Duration.ofSeconds(1).toNanos();

    private final SweepStore store;
    private final SweepTransitions transitions;
    private final TransactionTemplate transaction;
    private final SweepCells cells;
    private final SweepSettings settings;
    private final JobEvents<Sweep.Standing> events;
    private final RunningChunks running;
    private final SweepWorker worker;
    private final JobQueue queue;
    private final Clock clock;
    private final JobIds ids;
    private final QueueMaintenance rounds;
    private final JobRetention retention;

    /// Storage of sweeps and recipients of their events.
    public record Persistence(
            DataSource database, TransactionTemplate transaction, SweepStore store, JobEvents<Sweep.Standing> events) {}

    public SweepRunner(
            Persistence persistence, SweepCells cells, SweepSettings settings, MeterRegistry meters, Clock clock) {
        this.store = persistence.store;
        this.transaction = persistence.transaction;
        this.events = persistence.events;
        this.transitions = new SweepTransitions(JdbcClient.create(persistence.database));
        this.cells = cells;
        this.settings = settings;
        this.clock = clock;
        this.ids = new JobIds(clock);
        this.running = new RunningChunks(store::standings, settings.timeout());
        this.worker = new SweepWorker(
                store, transitions, transaction, cells, running, settings.attempts(), this::now, events::check);
        this.queue = new JobQueue(
                persistence.database,
                worker,
                new JobQueue.Kind("sweep", "sweep_task", "sweep", settings.workers(), settings.heartbeat()),
                new JobQueue.Tools(clock, meters));
        worker.attach(queue);
        this.rounds = new QueueMaintenance("chunks", queue, running, events, settings.stopGrace());
        this.retention = new JobRetention(transitions, settings.retention(), clock);
    }

    /// Takes a sweep, unless its idempotency key is known. Cells are judged for a moment while the caller waits, and
    /// the others before any is searched.
    ///
    /// @throws InvalidRequestException naming the member at fault, or the cell where one was judged already
    public SweepSubmission submit(SubmittedSweep asked, Origin origin) {
        SweepGrid grid = new SweepReader(settings.maximumCells()).read(asked);
        Optional<SweepSubmission> known = known(asked, origin);
        if (known.isPresent()) {
            return known.get();
        }
        int checked = checked(asked, grid, cells.sets(origin.owner()));
        Sweep sweep = new Sweep(
                new Sweep.Standing(
                        ids.next(), JobStatus.QUEUED, new SweepProgress(grid.cells(), checked, 0, 0, 0, 0, 0)),
                now(),
                null,
                null,
                SweepSettings.chunkCells(grid.cells()),
                origin,
                null);
        try {
            SweepSubmission submission = Objects.requireNonNull(transaction.execute(_ -> admit(sweep, asked)));
            queue.wake();
            return submission;
        } catch (DuplicateKeyException e) {
            return known(asked, origin).orElseThrow(() -> e);
        }
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

    private Optional<SweepSubmission> known(SubmittedSweep asked, Origin origin) {
        return Optional.of(origin)
                .filter(one -> one.idempotencyKey() != null)
                .flatMap(store::findByKey)
                .map(sweep -> store.request(sweep.id()).equals(Optional.of(asked.json()))
                        ? new SweepSubmission.Known(sweep)
                        : new SweepSubmission.KeyTaken());
    }

    /// One at a time over all replicas: the lock is held until the transaction ends.
    private SweepSubmission admit(Sweep sweep, SubmittedSweep asked) {
        transitions.lockAdmission();
        Optional<SweepSubmission> known = known(asked, sweep.origin());
        if (known.isPresent()) {
            return known.get();
        }
        SweepStore.Unfinished unfinished = store.unfinished(sweep.origin().callerId());
        if (!CallerQuota.allows(unfinished.own(), (long) settings.unfinished() - unfinished.sweeps())) {
            return new SweepSubmission.QueueFull(unfinished.own(), unfinished.sweeps(), settings.unfinished());
        }
        transitions.add(sweep, asked.json());
        if (sweep.standing().progress().checked() == sweep.cells()) {
            worker.addChunks(sweep);
        } else {
            queue.addAll(List.of(new SweepPart(sweep.id(), SweepPart.CHECK).entry()), sweep.submittedAt());
        }
        return new SweepSubmission.Accepted(sweep);
    }

    /// Ends a sweep that waits or runs, on whichever replicas; rows that it has stay. A finished one stays as it is.
    ///
    /// @return whether it was not finished
    public boolean cancel(UUID id) {
        boolean cancelled = Boolean.TRUE.equals(transaction.execute(_ -> {
            boolean ends = transitions.cancel(id, now());
            if (ends) {
                queue.removeAll(id);
            }
            return ends;
        }));
        if (cancelled) {
            running.stop(id);
        }
        events.check();
        return cancelled;
    }

    /// Deletes a finished sweep with its rows.
    public void remove(UUID id) {
        transitions.remove(id);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public void start() {
        rounds.start();
        retention.start();
    }

    @Override
    public void stop() {
        retention.stop();
        rounds.stop(() -> {});
    }

    @Override
    public boolean isRunning() {
        return rounds.isRunning();
    }
}
