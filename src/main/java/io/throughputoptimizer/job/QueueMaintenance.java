package io.throughputoptimizer.job;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Maintains a queue while the service runs: periodically compares running jobs with the database. Thread-safe.
public final class QueueMaintenance {
    private static final Logger log = LoggerFactory.getLogger(QueueMaintenance.class);
    private static final Duration ROUND = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final String name;
    private final JobQueue queue;
    private final Here here;
    private final JobEvents<?> events;
    private final Duration stopGrace;

    /// Null while the service is stopped.
    private volatile @Nullable ScheduledExecutorService rounds;

    /// The jobs of a queue that run in this process.
    public interface Here {
        /// Accepts jobs from now on.
        void open();

        /// Returns jobs that start from now on to the queue, since the scheduler continues with fetched
        /// entries.
        void close();

        /// Returns running jobs to the queue. Call after [#close].
        void handBack();

        /// Returns whether no job runs.
        boolean isIdle();

        /// Compares running jobs with the database.
        void synchronize();
    }

    /// @param name name of the jobs, for the thread and the log
    /// @param stopGrace time for running jobs to finish at a stop
    public QueueMaintenance(String name, JobQueue queue, Here here, JobEvents<?> events, Duration stopGrace) {
        this.name = name;
        this.queue = queue;
        this.here = here;
        this.events = events;
        this.stopGrace = stopGrace;
    }

    /// Starts the queue.
    public void start() {
        ScheduledExecutorService begun = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("running-" + name).factory());
        ScheduledFuture<?> _ =
                begun.scheduleWithFixedDelay(this::round, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
        rounds = begun;
        events.open();
        here.open();
        queue.start();
    }

    /// Stops the queue: releases callers that wait for jobs, gives running jobs time to finish, and returns
    /// unfinished ones to the queue.
    ///
    /// @param others stops other searches
    public void stop(Runnable others) {
        queue.pause();
        here.close();
        events.close();
        others.run();
        awaitIdle();
        here.handBack();
        queue.stop();
        ScheduledExecutorService begun = rounds;
        rounds = null;
        if (begun != null) {
            begun.shutdown();
        }
    }

    private void awaitIdle() {
        long deadline = System.nanoTime() + stopGrace.toNanos();
        try {
            while (!here.isIdle() && System.nanoTime() < deadline) {
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns whether the queue is started.
    public boolean isRunning() {
        return rounds != null;
    }

    private void round() {
        try {
            here.synchronize();
        } catch (RuntimeException | Error e) { // One that got out would end the rounds.
            log.warn("cannot compare the running {} with the database; trying again", name, e);
        }
    }
}
