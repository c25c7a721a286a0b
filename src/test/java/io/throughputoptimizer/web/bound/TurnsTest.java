package io.throughputoptimizer.web.bound;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/// Requests of several callers, each of which is answered for as long as the test likes.
@Timeout(60)
class TurnsTest {
    private static final String GREEDY = "192.0.2.1";
    private static final String OTHER = "192.0.2.2";
    private static final int AT_ONCE = 2;

    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong nanos = new AtomicLong();
    private final ConcurrentLinkedQueue<String> begun = new ConcurrentLinkedQueue<>();
    private final List<Future<?>> requests = new ArrayList<>();
    private Turns turns = new Turns(AT_ONCE, Duration.ofHours(1), nanos::get);

    @AfterEach
    void close() {
        callers.shutdownNow();
    }

    @Test
    void whoAsksAloneIsAnsweredAsItAsks() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        ask(GREEDY, 20, end);
        awaitBegun(20);
        end.countDown();
        awaitAll();
    }

    @Test
    void whoAsksBesideOthersIsAnsweredAFewAtATime() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        beThere(OTHER);
        ask(GREEDY, 5, end);
        awaitWaiting(3);
        assertThat(begun).containsExactly(OTHER, GREEDY, GREEDY);

        beThere(OTHER);
        assertThat(begun).containsExactly(OTHER, GREEDY, GREEDY, OTHER);
        end.countDown();
        awaitAll();
        assertThat(begun).hasSize(7);
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void othersCountForAsLongAsTheyAsk() throws Exception {
        beThere(OTHER);
        nanos.addAndGet(Turns.PRESENCE.toNanos() + 1);
        CountDownLatch end = new CountDownLatch(1);
        ask(GREEDY, 5, end);
        awaitBegun(5);
        end.countDown();
        awaitAll();
    }

    @Test
    void oneThatIsAboutToWaitLetsTheNextBegin() throws Exception {
        beThere(OTHER);
        CountDownLatch wait = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        for (int request = 0; request < AT_ONCE; request++) {
            requests.add(callers.submit(() -> answer(GREEDY, () -> {
                wait.await();
                Turns.end();
                end.await();
            })));
        }
        awaitBegun(AT_ONCE);
        ask(GREEDY, 3, end);
        awaitWaiting(3);
        wait.countDown();
        awaitBegun(2 * AT_ONCE);
        awaitWaiting(1);
        end.countDown();
        awaitAll();
    }

    @Test
    void nobodyIsKeptOutByRequestsOfItsOwn() throws Exception {
        turns = new Turns(AT_ONCE, Duration.ofMillis(1), nanos::get);
        beThere(OTHER);
        CountDownLatch end = new CountDownLatch(1);
        ask(GREEDY, 10, end);
        awaitBegun(10);
        end.countDown();
        awaitAll();
    }

    private void ask(String address, int number, CountDownLatch end) {
        for (int request = 0; request < number; request++) {
            requests.add(callers.submit(() -> answer(address, end::await)));
        }
    }

    /// Asks something that is answered at once.
    private void beThere(String address) throws Exception {
        callers.submit(() -> answer(address, () -> {})).get();
    }

    private Void answer(String address, Answer answer) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/v1/models");
        request.setRemoteAddr(address);
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        turns.doFilter(request, new MockHttpServletResponse(), (_, _) -> {
            begun.add(address);
            try {
                answer.give();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        return null;
    }

    private interface Answer {
        void give() throws InterruptedException;
    }

    private void awaitBegun(int number) throws InterruptedException {
        while (begun.stream().filter(GREEDY::equals).count() < number) {
            Thread.sleep(1);
        }
    }

    private void awaitWaiting(int number) throws InterruptedException {
        while (turns.waiting() != number) {
            Thread.sleep(1);
        }
    }

    private void awaitAll() throws Exception {
        for (Future<?> request : requests) {
            request.get();
        }
    }
}
