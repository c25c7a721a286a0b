package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import org.junit.jupiter.api.Test;

/// A batch of one request cannot hold two lengths.
class LeftOutTrafficIT extends HttpTest {
    private static final String ROW = "result.devices[0].phases[0].rows[0].";

    @Test
    void theShareThatABatchIsTooSmallForIsSaidInEveryFormat() {
        String id = optimize(batchOf(1))
                .body(ROW + "composition.request_ratio", contains(0.875))
                .body(ROW + "left_out_ratio", equalTo(0.125))
                .body(
                        ROW + "warnings",
                        contains(
                                "the batch is too small for every length; its figures leave out 12.5% of the requests"))
                .extract()
                .path("id");

        assertThat(report(id, "text/plain"))
                .contains("Warning: Top 1: the batch is too small for every length; its figures leave out 12.5% of the"
                        + " requests.");
        assertThat(report(id, "text/csv").lines().toList())
                .satisfies(lines -> assertThat(lines.getFirst())
                        .contains(",accounting,left_out_ratio")
                        .endsWith(",warnings"))
                .satisfies(lines ->
                        assertThat(lines.get(1)).contains(",0.125").endsWith("leave out 12.5% of the requests"))
                .satisfies(lines -> assertThat(lines.get(2)).endsWith(","));
    }

    @Test
    void aBatchThatHoldsEveryLengthSaysNothing() {
        String id = optimize(batchOf(8))
                .body(ROW + "composition.request_ratio", contains(0.875, 0.125))
                .body(ROW + "left_out_ratio", nullValue())
                .body(ROW + "warnings", nullValue())
                .extract()
                .path("id");

        assertThat(report(id, "text/plain")).doesNotContain("leave out");
        assertThat(report(id, "text/csv")).doesNotContain("left_out_ratio", "warnings");
    }

    private static String batchOf(int requests) {
        return """
                {"model_id": "Qwen/Qwen3-8B", "num_devices": 1, "mode": "disaggregation",
                 "workload": {"length_distribution": {"bins": [
                     {"min_tokens": 0, "max_tokens": 500, "weight": 7}, {"min_tokens": 500, "max_tokens": 1500, "weight": 1}]}, "output_length": 100},
                 "slo": {"ttft_ms": 20000}, "search": {"batch_range": [%d, %d]}}""".formatted(requests, requests);
    }
}
