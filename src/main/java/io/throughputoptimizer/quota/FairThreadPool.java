package io.throughputoptimizer.quota;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A thread pool with a bounded queue, shared fairly by callers ([CallerQuota]): with two or more threads, a single
/// caller leaves at least one thread and one place free. A free thread takes work of the caller with the fewest
/// running tasks, in turns on ties. Thread-safe.
public final class FairThreadPool {
    /// Number of threads that leaves processors to other work: half of them, at least two, of which one caller
    /// leaves one free.
    public static final int HALF_THE_PROCESSORS =
            Math.max(2, Runtime.getRuntime().availableProcessors() / 2);

    private static final long IDLE_SECONDS = 60;
    /// Weight of the latest duration in the moving average.
    private static final double NEWEST = 0.2;

    private final int number;
    private final ThreadPoolExecutor threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final CallerQuota places;
    private final CallerQuota running;
    /// Waiting work by caller, the next caller first.
    private final Map<CallerId, Deque<Work<?>>> waiting = new LinkedHashMap<>();

    private final LongSupplier nanos;
    private double meanNanos;

    /// @param name prefix of thread names
    /// @param number number of threads
    /// @param waiting maximum number of waiting tasks over all callers
    public FairThreadPool(String name, int number, int waiting) {
        this(name, number, waiting, System::nanoTime);
    }

    /// @param nanos clock, as [System#nanoTime()]
    FairThreadPool(String name, int number, int waiting, LongSupplier nanos) {
        this.number = number;
        this.nanos = nanos;
        this.threads = new ThreadPoolExecutor(
                number,
                number,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().name(name + "-", 1).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
        this.places = new CallerQuota((long) number + waiting);
        this.running = new CallerQuota(number);
    }

    /// Runs work in its caller's turn. Canceling waiting work frees its place immediately; canceled running
    /// work frees it when it ends.
    ///
    /// @throws RejectedExecutionException if the caller has no free place
    public <T> Future<T> submit(CallerId callerId, Callable<T> callable) {
        Work<T> work = new Work<>(callerId, callable);
        lock.lock();
        try {
            if (threads.isShutdown() || !places.take(callerId)) {
                throw new RejectedExecutionException("too much work of " + callerId.name() + " waits");
            }
            waiting.computeIfAbsent(callerId, _ -> new ArrayDeque<>()).add(work);
            startNext();
        } finally {
            lock.unlock();
        }
        return work;
    }

    /// Estimates when a rejected caller will find a place: the number of rounds until enough of its own work
    /// has ended, times the mean duration of recent work. Assumes that other callers neither take nor free
    /// places. A caller without running work also waits for its first turn.
    ///
    /// @param usual duration if no work has ended yet
    public Duration expectedWait(CallerId callerId, Duration usual) {
        lock.lock();
        try {
            long atOnce = running.held(callerId);
            long callers = Math.max(1, places.callers());
            long first = atOnce > 0 ? 1 : 1 + Math.ceilDiv(callers - 1, number);
            long turns = Math.max(1, Math.ceilDiv(places.excess(callerId), Math.max(1, atOnce)));
            long rounds = first + (turns - 1) * Math.ceilDiv(callers, number);
            return meanNanos == 0 ? usual : Duration.ofNanos(Math.round(meanNanos * rounds));
        } finally {
            lock.unlock();
        }
    }

    /// Interrupts running work and drops waiting work.
    public void shutdownNow() {
        threads.shutdownNow();
    }

    /// Starts waiting work on free threads. Call with the lock held.
    private void startNext() {
        for (CallerId next = next(); next != null; next = next()) {
            Deque<Work<?>> works = waiting.remove(next);
            if (works != null) {
                Work<?> work = works.remove();
                if (!works.isEmpty()) {
                    waiting.put(next, works);
                }
                threads.execute(() -> run(work));
            }
        }
    }

    /// Takes the turn of the next caller and returns it, or null if there is none.
    private @Nullable CallerId next() {
        CallerId next = null;
        for (CallerId callerId : waiting.keySet()) {
            if (next == null || running.held(callerId) < running.held(next)) {
                next = callerId;
            }
        }
        return next != null && !threads.isShutdown() && running.take(next) ? next : null;
    }

    private void run(Work<?> work) {
        long begin = nanos.getAsLong();
        try {
            work.run();
        } finally {
            ended(work.callerId, nanos.getAsLong() - begin);
        }
    }

    private void ended(CallerId callerId, long nanos) {
        lock.lock();
        try {
            meanNanos = meanNanos == 0 ? nanos : (1 - NEWEST) * meanNanos + NEWEST * nanos;
            running.giveBack(callerId);
            places.giveBack(callerId);
            startNext();
        } finally {
            lock.unlock();
        }
    }

    private void withdraw(Work<?> work) {
        lock.lock();
        try {
            Deque<Work<?>> works = waiting.get(work.callerId);
            if (works != null && works.remove(work)) {
                places.giveBack(work.callerId);
                if (works.isEmpty()) {
                    waiting.remove(work.callerId);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// A task. It leaves the queue when it is canceled.
    private final class Work<T> extends FutureTask<T> {
        private final CallerId callerId;

        Work(CallerId callerId, Callable<T> callable) {
            super(callable);
            this.callerId = callerId;
        }

        @Override
        protected void done() {
            if (isCancelled()) {
                withdraw(this);
            }
        }
    }
}
