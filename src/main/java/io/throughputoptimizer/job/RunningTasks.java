package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// The tasks of a queue that run in this process. Thread-safe.
public final class RunningTasks {
    private final Map<String, RunningTask> tasks = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// Adds a task. It replaces an earlier start that this process lost and took again.
    ///
    /// @return true if it can run; otherwise it is told to return to the queue
    public boolean add(RunningTask task) {
        Optional.ofNullable(tasks.put(task.entry(), task))
                .ifPresent(earlier -> earlier.monitor().stop(StopReason.LOST));
        boolean late = closed;
        if (late) {
            task.monitor().stop(StopReason.HANDED_BACK);
        }
        return !late;
    }

    public void remove(RunningTask task) {
        tasks.remove(task.entry(), task);
    }

    /// Stops the tasks of a job that run here.
    public void stop(UUID id, StopReason reason) {
        tasks.values().stream()
                .filter(task -> task.id().equals(id))
                .forEach(task -> task.monitor().stop(reason));
    }

    int count() {
        return tasks.size();
    }

    /// Returns the progress of a job that runs here as one task, or empty.
    Optional<JobProgress> progress(UUID id) {
        return Optional.ofNullable(tasks.get(id.toString()))
                .map(task -> task.monitor().progress());
    }

    /// Returns the tasks that run now.
    Set<RunningTask> all() {
        return Set.copyOf(tasks.values());
    }

    /// Accepts tasks from now on.
    void open() {
        closed = false;
    }

    /// Returns tasks that start from now on to the queue, since the scheduler continues with fetched entries.
    void close() {
        closed = true;
    }

    /// Returns running tasks to the queue. Call after [#close].
    void handBack() {
        tasks.values().forEach(task -> task.monitor().stop(StopReason.HANDED_BACK));
    }
}
