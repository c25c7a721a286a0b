package io.throughputoptimizer.web.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.problem.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.unit.DataSize;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/// Long requests have one of a few threads each, from when they are parsed until they are judged.
class LongWorkThreadsTest {
    private static final String GREEDY = "192.0.2.1";
    private static final String OTHER = "192.0.2.2";

    private final LongWorkThreads threads = new LongWorkThreads(new HttpLimits(
            DataSize.ofMegabytes(1),
            DataSize.ofMegabytes(2),
            DataSize.ofMegabytes(4),
            Duration.ofSeconds(1),
            DataSize.ofMegabytes(1),
            Duration.ofSeconds(1),
            1,
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ofSeconds(5)));

    @AfterEach
    void end() {
        threads.destroy();
        RequestContextHolder.resetRequestAttributes();
        SecurityContextHolder.clearContext();
    }

    @Test
    void oneThreadParsesAndJudgesALongRequest() {
        answering(GREEDY);
        Thread parser = threads.begin(true, Thread::currentThread);

        assertThat(parser).isNotSameAs(Thread.currentThread());
        assertThat(parser.isVirtual()).isFalse();
        assertThat(threads.end(Thread::currentThread)).isSameAs(parser);
        assertThat(threads.end(Thread::currentThread)).as("after its turn").isSameAs(Thread.currentThread());
    }

    @Test
    void aShortRequestStaysWhereItIsAnswered() {
        answering(GREEDY);
        assertThat(threads.begin(false, Thread::currentThread)).isSameAs(Thread.currentThread());
        assertThat(threads.end(Thread::currentThread)).isSameAs(Thread.currentThread());
    }

    @Test
    void itIsKnownWhoseRequestIsJudged() {
        answering(GREEDY);
        Caller caller = new Caller("key:planner", "planner", EnumSet.of(Role.SUBMIT));
        SecurityContextHolder.getContext()
                .setAuthentication(new UsernamePasswordAuthenticationToken(caller, "", List.of()));

        assertThat(threads.begin(true, Caller::current)).isEqualTo(caller);
        assertThat(threads.end(Caller::current)).isEqualTo(caller);
    }

    /// Nobody would have a thread any more if one of these kept it.
    @Test
    void threadsComeBackFromRequestsThatFailOrAreGivenUp() {
        RuntimeException failure = new IllegalArgumentException("of a step");
        Supplier<Object> failing = () -> {
            throw failure;
        };
        for (int request = 0; request < 2 * Runtime.getRuntime().availableProcessors() + 2; request++) {
            answering(GREEDY);
            assertThatThrownBy(() -> threads.begin(true, failing)).isSameAs(failure);

            answering(GREEDY);
            assertThat(threads.begin(true, () -> "parsed")).isEqualTo("parsed");
            assertThatThrownBy(() -> threads.end(failing)).isSameAs(failure);

            ServletRequestAttributes refused = answering(GREEDY);
            assertThat(threads.begin(true, () -> "parsed, and refused for a header"))
                    .startsWith("parsed");
            refused.requestCompleted();
        }
    }

    @Test
    void oneCallerLeavesAThreadToOthers() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger parsed = new AtomicInteger();
        BlockingQueue<ProblemException> refusals = new LinkedBlockingQueue<>();
        List<FutureTask<Integer>> requests = new ArrayList<>();
        while (refusals.isEmpty()) {
            FutureTask<Integer> request = new FutureTask<>(posted(end, parsed, refusals));
            requests.add(request);
            Executors.newVirtualThreadPerTaskExecutor().execute(request);
        }
        ProblemException refused = refusals.take();
        assertThat(refused.problem().status()).isEqualTo(429);
        assertThat(refused.problem().kind()).isEqualTo("requests-busy");
        assertThat(refused.headers().getFirst("Retry-After")).isEqualTo("5");

        answering(OTHER);
        assertThat(threads.begin(true, () -> "parsed")).isEqualTo("parsed");
        assertThat(threads.end(() -> "judged")).isEqualTo("judged");

        end.countDown();
        for (FutureTask<Integer> request : requests) {
            request.get();
        }
        assertThat(parsed.get()).isGreaterThan(1);
    }

    private Callable<Integer> posted(
            CountDownLatch end, AtomicInteger parsed, BlockingQueue<ProblemException> refusals) {
        return () -> {
            answering(GREEDY);
            try {
                threads.begin(true, parsed::incrementAndGet);
                return threads.end(() -> {
                    await(end);
                    return 1;
                });
            } catch (ProblemException refused) {
                refusals.add(refused);
                return 0;
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ServletRequestAttributes answering(String address) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setRemoteAddr(address);
        ServletRequestAttributes attributes = new ServletRequestAttributes(request);
        RequestContextHolder.setRequestAttributes(attributes);
        return attributes;
    }
}
