package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WorkersTest {
    private static final List<Supplier<Integer>> TASKS =
            IntStream.range(0, 50).<Supplier<Integer>>mapToObj(i -> () -> i).toList();

    static Stream<Executor> helpersThatNeverHelp() {
        return Stream.of(busy -> {}, full -> {
            throw new RejectedExecutionException("full");
        });
    }

    @ParameterizedTest
    @MethodSource("helpersThatNeverHelp")
    void theCallerDoesTheWorkThatNoHelperTakes(Executor helpers) {
        assertThat(new Workers(helpers, 4).run(TASKS))
                .isEqualTo(IntStream.range(0, 50).boxed().toList());
    }

    @Test
    void resultsKeepTheOrderOfTheTasks() {
        try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
            assertThat(new Workers(pool, 4).run(TASKS))
                    .isEqualTo(IntStream.range(0, 50).boxed().toList());
        }
    }

    @Test
    void helpersWorkBesideTheCaller() {
        Supplier<Boolean> meet = meeting(new CountDownLatch(2));
        try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
            assertThat(new Workers(pool, 2).run(List.of(meet, meet))).containsExactly(true, true);
        }
    }

    @Test
    void aPoolThatRunsTheCallerTooIsEnough() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
            assertThat(pool.submit(() -> new Workers(pool, 8).run(TASKS)).get()).hasSize(50);
        }
    }

    @Test
    void aShortRunIsHelpedWhileALongOneHasTasksLeft() throws Exception {
        Semaphore longTasks = new Semaphore(0, true);
        Supplier<Boolean> longTask = () -> {
            longTasks.acquireUninterruptibly();
            return true;
        };
        CountDownLatch together = new CountDownLatch(2);
        Supplier<Boolean> shortTask = meeting(together);
        try (ExecutorService helper = Executors.newFixedThreadPool(1);
                ExecutorService callers = Executors.newFixedThreadPool(2)) {
            Future<List<Boolean>> longRun =
                    callers.submit(() -> new Workers(helper, 2).run(Collections.nCopies(100, longTask)));
            while (longTasks.getQueueLength() < 2) {
                Thread.onSpinWait();
            }
            Future<List<Boolean>> shortRun =
                    callers.submit(() -> new Workers(helper, 2).run(List.of(shortTask, shortTask)));
            while (together.getCount() == 2) {
                Thread.onSpinWait();
            }
            longTasks.release(50);

            assertThat(shortRun.get()).containsExactly(true, true);
            assertThat(longRun.isDone()).isFalse();
            longTasks.release(50);
            assertThat(longRun.get()).hasSize(100);
        }
    }

    @Test
    void theFailureOfTheEarliestTaskIsThrownAsItIs() {
        IllegalStateException first = new IllegalStateException("first");
        List<Supplier<Integer>> tasks = List.of(
                () -> 1,
                () -> {
                    throw first;
                },
                () -> {
                    throw new AssertionError("second");
                });

        assertThatThrownBy(() -> new Workers(Runnable::run, 2).run(tasks)).isSameAs(first);
    }

    @Test
    void nothingToDoIsDone() {
        assertThat(new Workers(Runnable::run, 2).run(List.<Supplier<Integer>>of()))
                .isEmpty();
    }

    /// A task that ends once as many as the latch counts run at the same time.
    private static Supplier<Boolean> meeting(CountDownLatch together) {
        return () -> {
            together.countDown();
            try {
                together.await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            return true;
        };
    }
}
