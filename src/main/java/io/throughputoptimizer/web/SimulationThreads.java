package io.throughputoptimizer.web;

import io.throughputoptimizer.share.FairThreads;
import io.throughputoptimizer.share.Sharer;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
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

    private final HttpLimits limits;
    private final FairThreads threads;

    SimulationThreads(HttpLimits limits) {
        this.limits = limits;
        this.threads = new FairThreads("simulation", FairThreads.HALF_THE_PROCESSORS, WAITING);
    }

    /// Runs a simulation while its caller waits.
    ///
    /// @param simulation takes what it has to call again and again, which ends it when nobody waits any more
    /// @param sharer who waits
    /// @throws ProblemException if too many of that caller wait already, or if it takes longer than one may wait
    <T> T run(Sharer sharer, Function<Runnable, T> simulation) throws InterruptedException {
        Duration longest = limits.longestWait();
        Future<T> result;
        try {
            result = threads.submit(sharer, () -> simulation.apply(SimulationThreads::checkNotEnded));
        } catch (RejectedExecutionException _) {
            throw ProblemException.simulationsBusy(retryAfter(sharer));
        }
        try {
            return result.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw ProblemException.simulationsBusy(retryAfter(sharer));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            result.cancel(true);
        }
    }

    private Duration retryAfter(Sharer sharer) {
        return threads.expectedWait(sharer, limits.retryAfter());
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
