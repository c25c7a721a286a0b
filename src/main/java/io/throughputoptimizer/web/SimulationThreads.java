package io.throughputoptimizer.web;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/// The few threads that simulate, so that nobody else waits for a processor because many simulations are asked for.
/// Thread-safe.
@Component
final class SimulationThreads implements DisposableBean {
    private static final int WAITING = 64;
    private static final long IDLE_SECONDS = 60;

    private final HttpLimits limits;
    private final ThreadPoolExecutor threads;

    SimulationThreads(HttpLimits limits) {
        this.limits = limits;
        int most = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        this.threads = new ThreadPoolExecutor(
                most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                Thread.ofPlatform().name("simulation-", 1).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /// Runs a simulation while its caller waits.
    ///
    /// @param simulation takes what it has to call again and again, which ends it when nobody waits any more
    /// @throws ProblemException if too many wait already, or if it takes longer than a caller may wait
    <T> T run(Function<Runnable, T> simulation) throws InterruptedException {
        Duration longest = limits.longestWait();
        Future<T> result;
        try {
            result = threads.submit(() -> simulation.apply(SimulationThreads::checkNotEnded));
        } catch (RejectedExecutionException _) {
            throw ProblemException.simulationsBusy(limits.retryAfter());
        }
        try {
            return result.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw ProblemException.simulationsBusy(limits.retryAfter());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            result.cancel(true);
        }
    }

    private static void checkNotEnded() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("nobody waits for the simulation");
        }
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
