package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.restassured.path.json.JsonPath;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A batch of one request cannot hold two lengths.
class LeftOutTrafficIT extends HttpTest {
    private static final String ROW = "result.devices[0].phases[0].rows[0].";

    @Test
    void theShareThatABatchIsTooSmallForIsSaidInEveryFormat() {
        JsonPath answer = optimize(batchOf(1))
                .body(ROW + "composition.request_ratio", contains(0.875))
                .body(ROW + "omitted_ratio", equalTo(0.125))
                .body(
                        ROW + "warnings",
                        hasItem("the batch is too small for every length; its figures leave out 12.5% of the requests"))
                .extract()
                .jsonPath();
        String id = answer.getString("id");
        List<String> warnings = answer.getList(ROW + "warnings");

        assertThat(report(id, "text/plain"))
                .contains("Warning: Top 1: the batch is too small for every length; its figures leave out 12.5% of the"
                        + " requests.");
        List<NamedCsvRecord> records = records(report(id, "text/csv"));
        assertThat(records.getFirst().getField("accounting")).isEqualTo("documented");
        assertThat(records.getFirst().getField("omitted_ratio")).isEqualTo("0.125");
        assertThat(records.getFirst().getField("warnings")).isEqualTo(String.join("; ", warnings));
        assertThat(records.subList(1, records.size()))
                .isNotEmpty()
                .allSatisfy(part -> assertThat(part.getField("omitted_ratio")).isEmpty())
                .allSatisfy(part -> assertThat(part.getField("warnings")).isEmpty());
    }

    private static String batchOf(int requests) {
        return """
                {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 1, "mode": "disaggregation",
                 "workload": {"length_distribution": {"bins": [
                     {"min_tokens": 0, "max_tokens": 500, "weight": 7}, {"min_tokens": 500, "max_tokens": 1500, "weight": 1}]}, "output_length": 100},
                 "slo": {"ttft_ms": 20000}, "search": {"batch_range": [%d, %d]}}""".formatted(requests, requests);
    }
}
