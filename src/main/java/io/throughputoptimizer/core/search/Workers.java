package io.throughputoptimizer.core.search;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Runs independent tasks on the calling thread and on whatever helpers the executor lends. The caller works
/// through the tasks itself, so that a busy or full executor slows a run down but never blocks it: not even when
/// the caller is one of the executor's own threads.
///
/// A helper takes one task at a time and then queues again behind whatever else waits for the executor, so that
/// runs that share an executor share its threads task by task: a long run cannot keep them all.
///
/// @param parallelism most tasks at a time, the caller's included
record Workers(Executor helpers, int parallelism) {
    Workers {
        if (parallelism <= 0) {
            throw new IllegalArgumentException("parallelism is " + parallelism + ": a positive whole number is needed");
        }
    }

    /// Results in the order of the tasks, once all have ended. The failure of the earliest task that failed is
    /// thrown as it is.
    <T> List<T> run(List<Supplier<T>> tasks) {
        List<CompletableFuture<T>> results =
                tasks.stream().map(task -> new CompletableFuture<T>()).toList();
        AtomicInteger next = new AtomicInteger();
        BooleanSupplier takeOne = () -> {
            int i = next.getAndIncrement();
            if (i < tasks.size()) {
                settle(results.get(i), tasks.get(i));
            }
            return i < tasks.size();
        };
        for (int helper = 1; helper < Math.min(parallelism, tasks.size()); helper++) {
            callHelper(takeOne);
        }
        while (takeOne.getAsBoolean()) {
            // Until none is left to take.
        }
        return results.stream().map(Workers::resultOf).toList();
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

    private static <T> void settle(CompletableFuture<T> result, Supplier<T> task) {
        try {
            result.complete(task.get());
        } catch (RuntimeException | Error failure) {
            result.completeExceptionally(failure);
        }
    }

    private static <T> T resultOf(CompletableFuture<T> result) {
        try {
            return result.join();
        } catch (CompletionException wrapper) {
            switch (wrapper.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw wrapper;
            }
        }
    }
}
