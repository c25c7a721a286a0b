package io.throughputoptimizer.core.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs independent tasks on the calling thread and on helper threads of an executor. The caller works through
/// the tasks itself, so that a busy or full executor slows a run down but never blocks it, even if the caller
/// is one of the executor's own threads.
///
/// A helper takes one task at a time and then queues again behind whatever else waits for the executor, so that
/// runs that share an executor share its threads task by task: a long run cannot keep them all.
///
/// @param parallelism most tasks at a time, the caller's included
public record Workers(Executor helpers, int parallelism) {
    /// The calling thread alone.
    public static final Workers ALONE = new Workers(Runnable::run, 1);

    /// Most tasks that are few.
    private static final int FEW = 8;

    public Workers {
        if (parallelism <= 0) {
            throw new IllegalArgumentException("parallelism is " + parallelism + ": a positive whole number is needed");
        }
    }

    /// Returns the results in the order of the tasks, after all have ended. Throws the failure of the earliest
    /// failed task unchanged.
    public <T> List<T> run(List<Supplier<T>> tasks) {
        Outcomes<T> outcomes = new Outcomes<>(tasks.size());
        AtomicInteger next = new AtomicInteger();
        BooleanSupplier takeOne = () -> {
            int i = next.getAndIncrement();
            if (i < tasks.size()) {
                outcomes.settle(i, tasks.get(i));
            }
            return i < tasks.size();
        };
        for (int helper = 1; helper < Math.min(parallelism, tasks.size()); helper++) {
            callHelper(takeOne);
        }
        while (takeOne.getAsBoolean()) {
            // Until none is left to take.
        }
        return outcomes.await();
    }

    /// Runs tasks as [#run], but few tasks on the calling thread alone if the first one was short: to wake a helper
    /// takes as long as some short tasks.
    ///
    /// @param isShort whether the first task, by its result, takes less time than waking a helper
    public <T> List<T> run(List<Supplier<T>> tasks, Predicate<T> isShort) {
        if (tasks.isEmpty() || tasks.size() > FEW) {
            return run(tasks);
        }
        List<T> results = new ArrayList<>(ALONE.run(tasks.subList(0, 1)));
        Workers others = isShort.test(results.getFirst()) ? ALONE : this;
        results.addAll(others.run(tasks.subList(1, tasks.size())));
        return List.copyOf(results);
    }

    private void callHelper(BooleanSupplier takeOne) {
        try {
            helpers.execute(() -> {
                if (takeOne.getAsBoolean()) {
                    callHelper(takeOne);
                }
            });
        } catch (RejectedExecutionException noHelperFree) {
            // No help is needed: the caller does what the helpers leave.
        }
    }

    /// Results of the tasks. All structures are allocated in advance, so that no thread waits forever for a
    /// task that ran out of memory.
    private static final class Outcomes<T> {
        private final List<@Nullable T> results;
        private final @Nullable Throwable[] failures;
        private final CountDownLatch pending;

        private Outcomes(int tasks) {
            this.results = new ArrayList<@Nullable T>(Collections.<@Nullable T>nCopies(tasks, null));
            this.failures = new Throwable[tasks];
            this.pending = new CountDownLatch(tasks);
        }

        private void settle(int task, Supplier<T> work) {
            try {
                results.set(task, work.get());
            } catch (RuntimeException | Error failure) {
                failures[task] = failure;
            } finally {
                pending.countDown();
            }
        }

        @SuppressWarnings("NullAway") // without a failure every task has set its result
        private List<T> await() {
            boolean interrupted = false;
            while (pending.getCount() > 0) {
                try {
                    pending.await();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            for (Throwable failure : failures) {
                switch (failure) {
                    case RuntimeException thrown -> throw thrown;
                    case Error thrown -> throw thrown;
                    case null, default -> {}
                }
            }
            return List.copyOf(results);
        }
    }
}
