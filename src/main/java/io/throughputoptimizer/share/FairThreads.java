package io.throughputoptimizer.share;

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

/// A few threads, and places to wait for one, that callers share by [Shares]: of two or more threads one caller alone
/// leaves at least one free, and a place too. A free thread takes up work of the caller who has the fewest running;
/// several such callers take turns. Thread-safe.
public final class FairThreads {
    /// Threads that leave processors to others: half as many as there are, and two at least, of which one caller leaves
    /// one to others.
    public static final int HALF_THE_PROCESSORS =
            Math.max(2, Runtime.getRuntime().availableProcessors() / 2);

    private static final long IDLE_SECONDS = 60;
    /// How much the latest time counts in the mean.
    private static final double NEWEST = 0.2;

    private final int number;
    private final ThreadPoolExecutor threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Shares places;
    private final Shares running;
    /// Work of each caller, the caller first who has its turn.
    private final Map<Sharer, Deque<Work<?>>> waiting = new LinkedHashMap<>();

    private final LongSupplier nanos;
    private double meanNanos;

    /// @param name of the threads, before their numbers
    /// @param number of threads
    /// @param waiting pieces of work of all callers that may wait besides those that run
    public FairThreads(String name, int number, int waiting) {
        this(name, number, waiting, System::nanoTime);
    }

    /// @param nanos as [System#nanoTime()]
    FairThreads(String name, int number, int waiting, LongSupplier nanos) {
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
        this.places = new Shares((long) number + waiting);
        this.running = new Shares(number);
    }

    /// Runs work once it is its caller's turn. Work that is cancelled while it waits gives its place back at once, and
    /// work that runs when it has ended.
    ///
    /// @throws RejectedExecutionException if the caller has all the places that it may have
    public <T> Future<T> submit(Sharer sharer, Callable<T> callable) {
        Work<T> work = new Work<>(sharer, callable);
        lock.lock();
        try {
            if (threads.isShutdown() || !places.take(sharer)) {
                throw new RejectedExecutionException("too much work of " + sharer.name() + " waits");
            }
            waiting.computeIfAbsent(sharer, _ -> new ArrayDeque<>()).add(work);
            startNext();
        } finally {
            lock.unlock();
        }
        return work;
    }

    /// When a caller who finds no place will find one, if others neither give nor take any and each piece of work
    /// takes the mean time of those that ended last: as many rounds of it as its turn at a thread comes again until
    /// enough of its own have ended. A caller of whose work none runs waits for its first turn too.
    ///
    /// @param usual if none has ended yet
    public Duration expectedWait(Sharer sharer, Duration usual) {
        lock.lock();
        try {
            long atOnce = running.held(sharer);
            long callers = Math.max(1, places.sharers());
            long first = atOnce > 0 ? 1 : 1 + Math.ceilDiv(callers - 1, number);
            long turns = Math.max(1, Math.ceilDiv(places.excess(sharer), Math.max(1, atOnce)));
            long rounds = first + (turns - 1) * Math.ceilDiv(callers, number);
            return meanNanos == 0 ? usual : Duration.ofNanos(Math.round(meanNanos * rounds));
        } finally {
            lock.unlock();
        }
    }

    /// Interrupts what runs, and forgets what waits.
    public void shutdownNow() {
        threads.shutdownNow();
    }

    /// To be called with the lock.
    private void startNext() {
        for (Sharer next = next(); next != null; next = next()) {
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

    /// Whose turn it is; the turn is taken. Null if nobody's.
    private @Nullable Sharer next() {
        Sharer next = null;
        for (Sharer sharer : waiting.keySet()) {
            if (next == null || running.held(sharer) < running.held(next)) {
                next = sharer;
            }
        }
        return next != null && !threads.isShutdown() && running.take(next) ? next : null;
    }

    private void run(Work<?> work) {
        long begin = nanos.getAsLong();
        try {
            work.run();
        } finally {
            ended(work.sharer, nanos.getAsLong() - begin);
        }
    }

    private void ended(Sharer sharer, long nanos) {
        lock.lock();
        try {
            meanNanos = meanNanos == 0 ? nanos : (1 - NEWEST) * meanNanos + NEWEST * nanos;
            running.giveBack(sharer);
            places.giveBack(sharer);
            startNext();
        } finally {
            lock.unlock();
        }
    }

    private void withdraw(Work<?> work) {
        lock.lock();
        try {
            Deque<Work<?>> works = waiting.get(work.sharer);
            if (works != null && works.remove(work)) {
                places.giveBack(work.sharer);
                if (works.isEmpty()) {
                    waiting.remove(work.sharer);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// One that waits is withdrawn when it is cancelled.
    private final class Work<T> extends FutureTask<T> {
        private final Sharer sharer;

        Work(Sharer sharer, Callable<T> callable) {
            super(callable);
            this.sharer = sharer;
        }

        @Override
        protected void done() {
            if (isCancelled()) {
                withdraw(this);
            }
        }
    }
}
