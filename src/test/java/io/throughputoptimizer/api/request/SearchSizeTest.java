package io.throughputoptimizer.api.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.fixture.BuiltIn;
import org.junit.jupiter.api.Test;

class SearchSizeTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    /// Prefill and decode, tensor parallel 1 and 2, batch sizes 1 to 100.
    private static final long POINTS = 2 * 2 * 100;

    private static final OptimizationRequest REQUEST = WireFormat.read("""
            {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 2, "mode": "disaggregation",
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "search": {"tp_sizes": [1, 2], "strategy": "exhaustive", "batch_range": [1, 100]}}""", OptimizationRequest.class);

    @Test
    void aSearchUpToTheLimitIsAccepted() {
        assertThat(new ProblemReader(CATALOGS, POINTS).accept(REQUEST)).isNotNull();
    }

    @Test
    void aLargerOneIsRefusedWithItsSize() {
        assertThatThrownBy(() -> new ProblemReader(CATALOGS, POINTS - 1).accept(REQUEST))
                .isInstanceOfSatisfying(InvalidRequestException.class, refusal -> {
                    Violation violation = refusal.violations().getFirst();
                    assertThat(violation.pointer()).isEqualTo("/search");
                    assertThat(violation.message())
                            .contains(POINTS + " batch sizes")
                            .contains(POINTS - 1 + " are allowed");
                });
    }

    @Test
    void anAcceptedSearchIsRunThoughTheLimitWasLowered() {
        assertThat(new ProblemReader(CATALOGS, 1).read(REQUEST)).isNotNull();
    }
}
