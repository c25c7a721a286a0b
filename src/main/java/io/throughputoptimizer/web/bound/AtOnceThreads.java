package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.quota.CallerId;
import io.throughputoptimizer.quota.FairThreadPool;
import io.throughputoptimizer.web.problem.ProblemException;
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

/// A few threads for work that callers wait for, so that nobody else waits for a processor because much of it
/// is asked for. Thread-safe.
public abstract class AtOnceThreads implements DisposableBean {
    private static final int WAITING = 64;

    private final HttpLimits limits;
    private final FairThreadPool threads;

    /// @param name of the threads, before their numbers
    AtOnceThreads(String name, HttpLimits limits) {
        this.limits = limits;
        this.threads = new FairThreadPool(name, FairThreadPool.HALF_THE_PROCESSORS, WAITING);
    }

    /// What a caller is told who finds no place, or waited too long.
    abstract ProblemException busy(Duration retryAfter);

    /// Runs work while its caller waits.
    ///
    /// @param work takes what it has to call again and again, which ends it when nobody waits any more
    /// @param callerId who waits
    /// @throws ProblemException if too many of that caller wait already, if it takes longer than one may wait, or
    ///     what the work throws
    public <T> T run(CallerId callerId, Function<Runnable, T> work) throws InterruptedException {
        Duration longest = limits.longestWait();
        Future<T> result;
        try {
            result = threads.submit(callerId, () -> work.apply(AtOnceThreads::checkNotEnded));
        } catch (RejectedExecutionException _) {
            throw busy(retryAfter(callerId));
        }
        try {
            return result.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw busy(retryAfter(callerId));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ProblemException problem ? problem : new IllegalStateException(e.getCause());
        } finally {
            result.cancel(true);
        }
    }

    private Duration retryAfter(CallerId callerId) {
        return threads.expectedWait(callerId, limits.retryAfter());
    }

    private static void checkNotEnded() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("nobody waits for the answer");
        }
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }

    /// The threads that plan portfolios. Thread-safe.
    @Component
    public static final class PortfolioThreads extends AtOnceThreads {
        PortfolioThreads(HttpLimits limits) {
            super("portfolio", limits);
        }

        @Override
        ProblemException busy(Duration retryAfter) {
            return ProblemException.portfoliosBusy(retryAfter);
        }
    }

    /// The threads that simulate. Thread-safe.
    @Component
    public static final class SimulationThreads extends AtOnceThreads {
        SimulationThreads(HttpLimits limits) {
            super("simulation", limits);
        }

        @Override
        ProblemException busy(Duration retryAfter) {
            return ProblemException.simulationsBusy(retryAfter);
        }
    }
}
