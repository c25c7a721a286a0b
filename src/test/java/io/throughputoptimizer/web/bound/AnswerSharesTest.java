package io.throughputoptimizer.web.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.web.problem.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/// Readers that do not read hold their answers.
class AnswerSharesTest {
    private static final long HEAP = 64_000_000;
    private static final JobResult MEGABYTE = new JobResult("{}", "x".repeat(1_000_000), false);
    /// Four fifths of a quarter of the heap.
    private static final int OF_ONE_CALLER = 12;

    private final AnswerShares shares = new AnswerShares(HEAP, Duration.ofSeconds(5));
    private final List<ServletRequestAttributes> read = new ArrayList<>();

    @AfterEach
    void reset() {
        RequestContextHolder.resetRequestAttributes();
    }

    @Test
    void answersOfOneCallerLeaveRoomForOthersUntilTheyAreRead() {
        for (int answer = 0; answer < OF_ONE_CALLER; answer++) {
            answer("192.0.2.1", MEGABYTE);
        }
        assertThatThrownBy(() -> answer("192.0.2.1", MEGABYTE))
                .isInstanceOfSatisfying(ProblemException.class, refused -> {
                    assertThat(refused.problem().status()).isEqualTo(429);
                    assertThat(refused.problem().kind()).isEqualTo("answers-busy");
                    assertThat(refused.headers().getFirst("Retry-After")).isEqualTo("5");
                });
        assertThatCode(() -> answer("192.0.2.2", MEGABYTE)).doesNotThrowAnyException();
        assertThatCode(() -> answer("192.0.2.1", "a text of no job")).doesNotThrowAnyException();

        read.forEach(ServletRequestAttributes::requestCompleted);

        for (int answer = 0; answer < OF_ONE_CALLER; answer++) {
            answer("192.0.2.1", MEGABYTE);
        }
    }

    private void answer(String address, Object body) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setRemoteAddr(address);
        ServletRequestAttributes attributes = new ServletRequestAttributes(request);
        RequestContextHolder.setRequestAttributes(attributes);
        read.add(attributes);
        shares.hold(body);
    }
}
