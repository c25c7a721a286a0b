package io.throughputoptimizer.sweep;

import io.throughputoptimizer.job.QueueMaintenance;
import io.throughputoptimizer.sweep.CellMonitor.StopReason;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The parts of sweeps that run in this process. Thread-safe.
final class RunningChunks implements QueueMaintenance.Here {
    private final Function<Collection<UUID>, List<Sweep.Standing>> standings;
    private final Duration timeout;
    private final Set<Running> parts = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /// @param standings standings of the sweeps that exist
    /// @param timeout maximum time of a cell
    RunningChunks(Function<Collection<UUID>, List<Sweep.Standing>> standings, Duration timeout) {
        this.standings = standings;
        this.timeout = timeout;
    }

    /// A part that runs here.
    record Running(SweepPart part, CellMonitor monitor) {}

    /// Takes a part up; one that comes too late is told to go back to the queue.
    Running add(SweepPart part) {
        Running added = new Running(part, new CellMonitor(timeout));
        parts.add(added);
        if (closed) {
            added.monitor.stop(StopReason.HANDED_BACK);
        }
        return added;
    }

    void remove(Running part) {
        parts.remove(part);
    }

    /// Stops at once what runs here of a sweep.
    void stop(UUID sweep) {
        stop(StopReason.ENDED, one -> one.part.sweep().equals(sweep));
    }

    /// Stops chunks of sweeps that have ended. Chunks that start meanwhile are checked next time.
    @Override
    public void synchronize() {
        Set<Running> looked = Set.copyOf(parts);
        if (looked.isEmpty()) {
            return;
        }
        Set<UUID> going =
                standings.apply(looked.stream().map(one -> one.part.sweep()).collect(Collectors.toSet())).stream()
                        .filter(standing -> !standing.status().isFinished())
                        .map(Sweep.Standing::id)
                        .collect(Collectors.toSet());
        stop(StopReason.ENDED, one -> looked.contains(one) && !going.contains(one.part.sweep()));
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public void open() {
        closed = false;
    }

    @Override
    public boolean isIdle() {
        return parts.isEmpty();
    }

    @Override
    public void handBack() {
        stop(StopReason.HANDED_BACK, _ -> true);
    }

    private void stop(StopReason reason, Predicate<Running> which) {
        parts.stream().filter(which).forEach(one -> one.monitor.stop(reason));
    }
}
