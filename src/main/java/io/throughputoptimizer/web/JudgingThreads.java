package io.throughputoptimizer.web;

import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.share.FairThreads;
import io.throughputoptimizer.share.Sharer;
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
import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/// The few threads that parse and judge long requests, so that nobody else waits for a processor meanwhile: the virtual
/// threads that answer requests keep theirs until they wait for something. What takes tenths of a second to judge are
/// lists, of sizes or modules, which take room in the body; short requests are judged where they are answered.
///
/// A request has its thread from when it is parsed until it is judged, so that no more parsed requests are held than
/// there are threads. There are two at least, of which one caller leaves one to others. Thread-safe.
@Component
final class JudgingThreads implements DisposableBean {
    /// Bytes of the longest body that is judged where it is answered. Requests with a configuration of a model are
    /// mostly shorter.
    static final int LONGEST_SHORT_BODY = 4096;

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    private static final int WAITING = 64;
    private static final int FEWEST = 2;
    private static final String TURN = Turn.class.getName();

    private final HttpLimits limits;
    private final FairThreads threads;
    /// Logs, security and observations go by the request.
    private final ContextPropagatingTaskDecorator context = new ContextPropagatingTaskDecorator();

    JudgingThreads(HttpLimits limits) {
        this.limits = limits;
        int most = Math.max(FEWEST, Runtime.getRuntime().availableProcessors() / 2);
        this.threads = new FairThreads("judging", most, most * WAITING);
    }

    /// Parses the body of the request that this thread answers, which has its turn until it is judged, or answered.
    ///
    /// @param bytes of the body
    /// @throws ProblemException if too many long requests of the caller wait already, or if this one waits too long
    <T> T parse(int bytes, Supplier<T> parsing) {
        if (bytes <= LONGEST_SHORT_BODY) {
            return parsing.get();
        }
        RequestAttributes request = RequestContextHolder.currentRequestAttributes();
        Turn turn = new Turn(Caller.currentSharer());
        request.setAttribute(TURN, turn, RequestAttributes.SCOPE_REQUEST);
        request.registerDestructionCallback(TURN, turn::end, RequestAttributes.SCOPE_REQUEST);
        boolean parsed = false;
        try {
            T value = turn.run(parsing);
            parsed = true;
            return value;
        } finally {
            if (!parsed) {
                end(turn, request);
            }
        }
    }

    /// Does what is left to do for the request that this thread answers before it waits for anything, and ends its
    /// turn.
    ///
    /// @throws ProblemException as when it was parsed
    <T> T judge(Supplier<T> judging) {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        if (request == null || !(request.getAttribute(TURN, RequestAttributes.SCOPE_REQUEST) instanceof Turn turn)) {
            return judging.get();
        }
        try {
            return turn.run(judging);
        } finally {
            end(turn, request);
        }
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
        private final BlockingQueue<Optional<Runnable>> steps = new LinkedBlockingQueue<>();
        private final Future<Boolean> all;

        Turn(Sharer sharer) {
            try {
                all = threads.submit(sharer, this::runSteps);
            } catch (RejectedExecutionException _) {
                throw busy();
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
                throw busy();
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

    private ProblemException busy() {
        return ProblemException.requestsBusy(threads.expectedWait().orElse(limits.retryAfter()));
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
