package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.share.FairThreads;
import io.throughputoptimizer.share.Sharer;
import io.throughputoptimizer.web.problem.ProblemException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/// The few threads that parse and judge long requests, and that read long results and write them down, so that nobody
/// else waits for a processor meanwhile: the virtual threads that answer requests keep theirs until they wait for
/// something. What takes tenths of a second to judge are lists, of sizes or modules, which take room in the body; what
/// takes as long to write down are results of very many rows. All that is short is done where it is answered.
///
/// A request has its thread from when it is parsed until it is judged, or its result from when it is read until it is
/// written down, so that no more of them are held than there are threads. Thread-safe.
@Component
public final class LongWorkThreads implements DisposableBean {
    /// Bytes of the longest body that is parsed, and of the longest stored result that is read, where it is answered.
    /// Requests with a configuration of a model are mostly shorter.
    public static final int LONGEST_SHORT = 4096;

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    private static final int WAITING = 64;
    /// For work of all callers that runs or waits.
    public static final int PLACES = FairThreads.HALF_THE_PROCESSORS * (1 + WAITING);

    private static final String TURN = Turn.class.getName();

    private final HttpLimits limits;
    private final FairThreads threads;
    /// Logs, security and observations go by the request.
    private final ContextPropagatingTaskDecorator context = new ContextPropagatingTaskDecorator();

    LongWorkThreads(HttpLimits limits) {
        this.limits = limits;
        this.threads =
                new FairThreads("long-work", FairThreads.HALF_THE_PROCESSORS, PLACES - FairThreads.HALF_THE_PROCESSORS);
    }

    /// Does the first step of what the request that this thread answers takes long for. It has its turn until its last
    /// step, or until it is answered.
    ///
    /// @param isLong whether it takes long at all
    /// @throws ProblemException if too much long work of the caller waits already, or if this waits too long
    public <T> T begin(boolean isLong, Supplier<T> step) {
        if (!isLong) {
            return step.get();
        }
        RequestAttributes request = RequestContextHolder.currentRequestAttributes();
        Turn turn = new Turn(Caller.currentSharer());
        request.setAttribute(TURN, turn, RequestAttributes.SCOPE_REQUEST);
        request.registerDestructionCallback(TURN, turn::end, RequestAttributes.SCOPE_REQUEST);
        boolean done = false;
        try {
            T value = turn.run(step);
            done = true;
            return value;
        } finally {
            if (!done) {
                end(turn, request);
            }
        }
    }

    /// Does a step that is not the last for the request that this thread answers.
    ///
    /// @throws ProblemException as at the beginning
    public <T> T goOn(Supplier<T> step) {
        Turn turn = turn();
        return turn == null ? step.get() : turn.run(step);
    }

    /// Does what is left to do for the request that this thread answers before it waits for anything, and ends its
    /// turn.
    ///
    /// @throws ProblemException as at the beginning
    public <T> T end(Supplier<T> step) {
        Turn turn = turn();
        if (turn == null) {
            return step.get();
        }
        RequestAttributes request = RequestContextHolder.currentRequestAttributes();
        try {
            return turn.run(step);
        } finally {
            end(turn, request);
        }
    }

    /// Does all that takes long of the request that this thread answers, or what is left of it.
    ///
    /// @throws ProblemException as at the beginning
    public <T> T all(Supplier<T> step) {
        if (turn() == null) {
            boolean _ = begin(true, () -> true);
        }
        return end(step);
    }

    /// That of the request which this thread answers; null if it has none.
    private static @Nullable Turn turn() {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        return request != null && request.getAttribute(TURN, RequestAttributes.SCOPE_REQUEST) instanceof Turn turn
                ? turn
                : null;
    }

    private static void end(Turn turn, RequestAttributes request) {
        turn.end();
        request.removeAttribute(TURN, RequestAttributes.SCOPE_REQUEST);
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }

    /// A thread that does one step of a request after the other until there is none instead. Used by one thread.
    private final class Turn {
        private final Sharer sharer;
        private final BlockingQueue<Optional<Runnable>> steps = new LinkedBlockingQueue<>();
        private final Future<Boolean> all;

        Turn(Sharer sharer) {
            this.sharer = sharer;
            try {
                all = threads.submit(sharer, this::runSteps);
            } catch (RejectedExecutionException _) {
                throw busy(sharer);
            }
        }

        private boolean runSteps() throws InterruptedException {
            for (Optional<Runnable> step = steps.take(); step.isPresent(); step = steps.take()) {
                step.get().run();
            }
            return true;
        }

        <T> T run(Supplier<T> step) {
            FutureTask<T> task = new FutureTask<>(step::get);
            steps.add(Optional.of(context.decorate(task)));
            try {
                return task.get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                throw busy(sharer);
            } catch (ExecutionException e) {
                throw unchecked(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            } finally {
                task.cancel(false);
            }
        }

        void end() {
            steps.add(Optional.empty());
            all.cancel(false);
        }
    }

    private ProblemException busy(Sharer sharer) {
        return ProblemException.requestsBusy(threads.expectedWait(sharer, limits.retryAfter()));
    }

    /// What a step threw, as if it had been thrown here.
    private static RuntimeException unchecked(ExecutionException failure) {
        return switch (failure.getCause()) {
            case RuntimeException cause -> cause;
            case Error cause -> throw cause;
            case null, default -> new IllegalStateException(failure);
        };
    }
}
