package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;

import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.job.JobRequest;
import io.throughputoptimizer.job.WrittenResult;
import java.io.IOException;
import java.util.function.BiFunction;
import org.apache.catalina.connector.ClientAbortException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// What nobody foresaw is told without internals.
@ExtendWith(OutputCaptureExtension.class)
@Import({UnforeseenFailureIT.Bugs.class, UnforeseenFailureIT.BrokenController.class})
class UnforeseenFailureIT extends HttpTest {
    private static final String SECRET = "the password is hunter2";

    @TestConfiguration
    static class Bugs {
        @Bean
        @Primary
        BiFunction<JobRequest, SearchMonitor, WrittenResult> brokenSearch() {
            return (_, _) -> {
                throw new IllegalStateException(SECRET);
            };
        }
    }

    @RestController
    static class BrokenController {
        @GetMapping("/broken")
        String fail() {
            throw new IllegalStateException(SECRET);
        }

        @GetMapping("/broken-off")
        String breakOff() {
            throw new IllegalStateException("cannot write", new ClientAbortException(new IOException("Broken pipe")));
        }

        @GetMapping("/large")
        String tooLarge() {
            throw new OutOfMemoryError("told by the test");
        }
    }

    @Test
    void aFailedRequestIsAnInternalError() {
        String answer = api().get("/broken")
                .then()
                .statusCode(500)
                .contentType("application/problem+json")
                .body("status", equalTo(500))
                .extract()
                .asString();

        assertThat(answer).doesNotContain(SECRET).doesNotContain("IllegalState");
    }

    @Test
    void aCallerWhoBreaksOffIsNoError(CapturedOutput log) {
        api().get("/broken-off").then().body(equalTo(""));

        assertThat(log).doesNotContain("broken-off");
    }

    @Test
    void aRequestWithoutMemoryMayBeSentAgain() {
        api().get("/large")
                .then()
                .statusCode(503)
                .contentType("application/problem+json")
                .header("Retry-After", "5")
                .body("type", endsWith("/out-of-memory"));
    }

    @Test
    void aFailedJobHasNoReport() {
        json(PREFILL)
                .header("Prefer", "wait=600")
                .accept("text/plain")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(409)
                .contentType("application/problem+json")
                .body("detail", containsString("The optimization failed: "));
    }

    @Test
    void aFailedJobSaysSo() {
        String answer = optimize(PREFILL)
                .body("status", equalTo("failed"))
                .body("problem.status", equalTo(500))
                .extract()
                .asString();

        assertThat(answer).doesNotContain(SECRET).doesNotContain("IllegalState");
    }
}
