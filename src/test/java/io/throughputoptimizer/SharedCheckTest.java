package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.DatabaseConfiguration.SharedCheck;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedCheckTest {
    private final AtomicInteger made = new AtomicInteger();
    private volatile boolean failing;
    private final AtomicLong nanos = new AtomicLong(-17);
    private final SharedCheck check = new SharedCheck(this::make, nanos::get);

    private void make() {
        made.incrementAndGet();
        if (failing) {
            throw new IllegalStateException("failed");
        }
    }

    @Test
    void whoAsksSoonAfterLearnsHowTheLastOneEnded() {
        check.check();
        failing = true;
        after(Duration.ofMillis(4_999));
        check.check();
        assertThat(made).hasValue(1);

        after(Duration.ofMillis(1));
        for (int asked = 0; asked < 3; asked++) {
            assertThatThrownBy(check::check).hasMessage("failed");
        }
        assertThat(made).hasValue(2);

        failing = false;
        after(Duration.ofSeconds(1));
        assertThatCode(check::check).doesNotThrowAnyException();
        assertThat(made).hasValue(3);
    }

    @Test
    void oneIsMadeForAllWhoAskAtOnce() {
        CountDownLatch asking = new CountDownLatch(8);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < 8; caller++) {
                callers.execute(() -> {
                    asking.countDown();
                    check.check();
                });
            }
        }
        assertThat(asking.getCount()).isZero();
        assertThat(made).hasValue(1);
    }

    private void after(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
