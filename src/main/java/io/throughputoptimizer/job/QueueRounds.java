package io.throughputoptimizer.job;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has a queue worked off while the service runs: in rounds what runs here is compared with the database, and the queue
/// is taken anew where the clock was set back. Thread-safe.
public final class QueueRounds {
    private static final Logger log = LoggerFactory.getLogger(QueueRounds.class);
    private static final Duration ROUND = Duration.ofMillis(200);
    private static final Duration LONG_ROUND = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final String name;
    private final JobQueue queue;
    private final Here here;
    private final JobEvents<?> events;
    private final Duration stopGrace;
    private final ClockWatch watch;
    /// Held while the queue is taken up or left.
    private final ReentrantLock turning = new ReentrantLock();

    /// Absent while the service is stopped.
    private volatile @Nullable ScheduledExecutorService rounds;

    /// What of a queue runs in this process.
    public interface Here {
        /// Lets run what comes from now on.
        void open();

        /// Sends those back to the queue that come from now on: the scheduler runs on with entries that it has fetched.
        void close();

        /// Sends what runs back to the queue. To be called after [#close].
        void handBack();

        /// Whether nothing runs.
        boolean isIdle();

        /// Compares what runs with the database.
        void synchronize();
    }

    /// @param name of what runs, for the thread and the log
    /// @param stopGrace that a stop gives to what runs
    public QueueRounds(String name, JobQueue queue, Here here, JobEvents<?> events, Duration stopGrace, Clock clock) {
        this.name = name;
        this.queue = queue;
        this.here = here;
        this.events = events;
        this.stopGrace = stopGrace;
        this.watch = new ClockWatch(clock);
    }

    /// Takes the queue up.
    public void start() {
        turning.lock();
        try {
            ScheduledExecutorService begun = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofVirtual().name("running-" + name).factory());
            ScheduledFuture<?> _ = begun.scheduleWithFixedDelay(
                    this::round, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
            ScheduledFuture<?> _ =
                    begun.scheduleWithFixedDelay(this::longRound, 0, LONG_ROUND.toMillis(), TimeUnit.MILLISECONDS);
            rounds = begun;
            events.open();
            here.open();
            queue.start();
        } finally {
            turning.unlock();
        }
    }

    /// Leaves the queue: lets those go who wait for jobs, gives what runs some time, and hands back to the queue what
    /// is still unfinished then.
    ///
    /// @param others stops what runs besides
    public void stop(Runnable others) {
        turning.lock();
        try {
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
        } finally {
            turning.unlock();
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

    /// Whether the queue was taken up, and not left.
    public boolean isRunning() {
        return rounds != null;
    }

    private void round() {
        try {
            Duration setBack = watch.look();
            if (setBack.isPositive()) {
                takeQueueAnew(setBack);
            }
            here.synchronize();
        } catch (RuntimeException | Error e) { // One that got out would end the rounds.
            log.warn("cannot compare the running {} with the database; trying again", name, e);
        }
    }

    private void longRound() {
        try {
            queue.bringForward();
        } catch (RuntimeException | Error e) {
            log.warn("cannot look for entries of the queue of {} that lie ahead; trying again", name, e);
        }
    }

    /// The scheduler waits for times of the clock, which come that much later now: neither would it look for entries
    /// nor show that this replica lives. What runs here goes back to the queue.
    private void takeQueueAnew(Duration setBack) {
        turning.lock();
        try {
            if (isRunning()) {
                log.warn("the clock was set back by {} s: running {} are begun again", setBack.toSeconds(), name);
                queue.pause();
                here.close();
                here.handBack();
                queue.renew(here::open);
            }
        } finally {
            turning.unlock();
        }
    }
}
