package io.throughputoptimizer.portfolio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class ScipSolverTest {
    @Test
    void theOperatorIsToldWhyThereIsNoSolver(CapturedOutput log) {
        String fault = ScipSolver.faultOf(() -> {
            throw new UnsatisfiedLinkError("ld-linux-x86-64.so.2: no such file");
        });

        assertThat(fault).contains("ld-linux-x86-64.so.2");
        assertThat(log).contains("no-solver", "ld-linux-x86-64.so.2: no such file");
    }

    @Test
    void nothingIsSaidOfLibrariesThatLoad(CapturedOutput log) {
        assertThat(ScipSolver.faultOf(() -> {})).isEmpty();
        assertThat(log).doesNotContain("no-solver");
    }
}
