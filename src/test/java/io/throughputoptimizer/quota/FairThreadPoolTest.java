package io.throughputoptimizer.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FairThreadPoolTest {
    private static final CallerId GREEDY = CallerId.ofAddress("127.0.0.1");
    private static final CallerId OTHER = CallerId.ofAddress("127.0.0.2");
    private static final Duration USUAL = Duration.ofDays(1);
    private static final Duration TIME = Duration.ofSeconds(30);

    private final Semaphore started = new Semaphore(0);
    private final Semaphore gate = new Semaphore(0);
    private final AtomicLong nanos = new AtomicLong();
    private final Queue<CallerId> order = new ConcurrentLinkedQueue<>();
    private @Nullable FairThreadPool threads;

    @AfterEach
    void stop() {
        if (threads != null) {
            threads.shutdownNow();
        }
    }

    @Test
    void oneCallerLeavesAThreadAndAPlaceToOthers() {
        FairThreadPool shared = threads(2, 8);
        List<Future<String>> greedy = fill(shared);
        started.acquireUninterruptibly();

        assertThat(greedy).hasSize(8);
        Future<String> other = submit(shared, OTHER);
        started.acquireUninterruptibly();
        assertThat(order).containsExactly(GREEDY, OTHER);
        assertThat(other.isDone()).isFalse();
    }

    @Test
    void callersTakeTurnsAtOneThread() throws Exception {
        FairThreadPool shared = threads(1, 20);
        for (int number = 0; number < 6; number++) {
            Future<String> _ = submit(shared, GREEDY);
        }
        Future<String> _ = submit(shared, OTHER);
        Future<String> last = submit(shared, OTHER);
        gate.release(5);
        last.get();

        assertThat(order.stream().limit(5)).containsExactly(GREEDY, GREEDY, OTHER, GREEDY, OTHER);
    }

    @Test
    void whatIsCancelledWhileItWaitsGivesItsPlaceBackAtOnce() {
        FairThreadPool shared = threads(1, 9);
        List<Future<String>> greedy = fill(shared);
        started.acquireUninterruptibly();

        for (int round = 0; round < 100; round++) {
            greedy.removeLast().cancel(true);
            greedy.add(submit(shared, GREEDY));
        }
        assertThatThrownBy(() -> submit(shared, GREEDY)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void whatIsCancelledWhileItRunsGivesItsPlaceBackWhenItHasEnded() {
        FairThreadPool shared = threads(1, 9);
        List<Future<String>> greedy = fill(shared);
        started.acquireUninterruptibly();
        greedy.getFirst().cancel(true);
        started.acquireUninterruptibly();

        Future<String> _ = submit(shared, GREEDY);
        assertThatThrownBy(() -> greedy.getFirst().get()).isInstanceOf(CancellationException.class);
    }

    @Test
    void nothingIsLostAndNothingIsExpectedBeforeTheFirstEnd() throws Exception {
        FairThreadPool shared = new FairThreadPool("test", 3, 97);
        threads = shared;
        assertThat(shared.expectedWait(GREEDY, USUAL)).isEqualTo(USUAL);
        gate.release(1_000);
        for (int round = 0; round < 50; round++) {
            List<Future<String>> all = new ArrayList<>();
            for (int number = 0; number < 10; number++) {
                all.add(submit(shared, GREEDY));
                all.add(submit(shared, OTHER));
            }
            for (Future<String> one : all) {
                assertThat(one.get()).isEqualTo("done");
            }
        }

        assertThat(order).hasSize(1_000);
        assertThat(shared.expectedWait(GREEDY, USUAL)).isNotEqualTo(USUAL);
        gate.drainPermits();
        // The last ones' places are given back after their callers know of the end.
        int taken = 0;
        while (taken < 80) {
            taken += fill(shared).size();
        }
        assertThat(fill(shared)).isEmpty();
    }

    /// Of two threads one caller has one, on which one piece of its work ends in the time of one.
    @Test
    void whoeverIsAloneHasAPlaceOnceOneOfItsOwnHasEnded() throws Exception {
        FairThreadPool shared = measured(2, 8);
        List<Future<String>> greedy = fill(shared);
        started.acquireUninterruptibly();

        assertThat(shared.expectedWait(GREEDY, USUAL)).isEqualTo(TIME);
        assertHasAPlaceAfter(1, greedy, shared);
    }

    /// Of 20 places it has 16 and the other 3: only once four have ended, 12 and one more are at most four times the 4
    /// that are left then.
    @Test
    void whoeverHasMoreThanItsShareHasAPlaceOnceEnoughHaveEnded() throws Exception {
        FairThreadPool shared = measured(2, 18);
        List<Future<String>> greedy = fill(shared);
        for (int number = 0; number < 3; number++) {
            Future<String> _ = submit(shared, OTHER);
        }
        started.acquireUninterruptibly(2);

        assertThat(greedy).hasSize(16);
        assertThat(shared.expectedWait(GREEDY, USUAL)).isEqualTo(TIME.multipliedBy(4));
        assertHasAPlaceAfter(4, greedy, shared);
    }

    @Test
    void whoeverHasNothingRunningWaitsForItsTurnFirst() throws Exception {
        FairThreadPool shared = measured(1, 9);
        Future<String> _ = submit(shared, OTHER);
        started.acquireUninterruptibly();
        fill(shared);

        assertThat(shared.expectedWait(GREEDY, USUAL)).isEqualTo(TIME.multipliedBy(2));
    }

    private void assertHasAPlaceAfter(int ends, List<Future<String>> greedy, FairThreadPool shared) {
        for (int ended = 0; ended < ends; ended++) {
            assertThatThrownBy(() -> submit(shared, GREEDY)).isInstanceOf(RejectedExecutionException.class);
            greedy.get(ended).cancel(true);
            started.acquireUninterruptibly();
        }
        assertThat(submit(shared, GREEDY)).isNotNull();
    }

    /// Threads whose work took so long that has ended.
    private FairThreadPool measured(int number, int waiting) throws Exception {
        FairThreadPool shared = threads(number, waiting);
        Future<String> first = submit(shared, OTHER);
        started.acquireUninterruptibly();
        nanos.addAndGet(TIME.toNanos());
        gate.release();
        first.get();
        while (shared.expectedWait(OTHER, USUAL).equals(USUAL)) {
            Thread.onSpinWait();
        }
        return shared;
    }

    private List<Future<String>> fill(FairThreadPool shared) {
        List<Future<String>> taken = new ArrayList<>();
        try {
            while (true) {
                taken.add(submit(shared, GREEDY));
            }
        } catch (RejectedExecutionException _) {
            return taken;
        }
    }

    private Future<String> submit(FairThreadPool shared, CallerId callerId) {
        return shared.submit(callerId, () -> {
            order.add(callerId);
            started.release();
            gate.acquire();
            return "done";
        });
    }

    private FairThreadPool threads(int number, int waiting) {
        FairThreadPool made = new FairThreadPool("test", number, waiting, nanos::get);
        threads = made;
        return made;
    }
}
