package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobAnswer.UsedDevices;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What lists say of results.
class ResultGlanceTest {
    private static final String LAYOUT = "\"parallel\": {\"label\": \"TP=2\", \"tp\": 2, \"pp\": 1, \"dp\": 2}";

    @Test
    void theBestRowOfTheLeadingDeviceIsTold() {
        String result = """
                {"devices": [
                   {"device": "A", "phases": [{"phase": "aggregation", "best": {%1$s, "tokens_per_s": 10}, "rejected": []}]},
                   {"device": "B", "phases": [{"phase": "aggregation", "rejected": [],
                     "best": {%1$s, "replicas": 3, "tokens_per_s": 20.5, "qps": 0.5}}]}],
                 "cross_hardware": [{"phase": "aggregation", "rows": [{"device": "B"}, {"device": "A"}]}]}""".formatted(LAYOUT);

        assertThat(ResultGlance.of(result))
                .contains(new JobAnswer(List.of(new UsedDevices("B", 12)), 20.5, 0.5, null, null));
    }

    @Test
    void pairsAreTheDevicesOfAllTheirInstances() {
        String pair = """
                "prefill_instances": 2, "num_devices_p": 4, "decode_instances": 3, "num_devices_d": 2, "qps": 1.5""";
        String result = """
                {"devices": [{"device": "A", "phases": [], "pd_ratio": {"rows": [{%s%s}]}}]}""";

        assertThat(ResultGlance.of(result.formatted(pair, "")))
                .contains(new JobAnswer(List.of(new UsedDevices("A", 14)), null, 1.5, null, null));
        assertThat(ResultGlance.of(result.formatted(pair, ", \"device_d\": \"B\"")))
                .contains(new JobAnswer(
                        List.of(new UsedDevices("A", 8), new UsedDevices("B", 6)), null, 1.5, null, null));
    }

    @Test
    void theFewestDevicesAreTold() {
        String result = """
                {"devices": [{"device": "A", "phases": []}], "capacity": {"rows": [], "best":
                  {"device": "A", "num_devices": 24, "tokens_per_s": 9, "requests_per_s": 2, "cost_per_hour": 50.4}}}""";

        assertThat(ResultGlance.of(result))
                .contains(new JobAnswer(List.of(new UsedDevices("A", 24)), 9.0, 2.0, 50.4, null));
        assertThat(ResultGlance.of("{\"devices\": [{\"device\": \"A\", \"phases\": []}], \"capacity\": {}}"))
                .contains(new JobAnswer(List.of(), null, null, null, null));
    }

    @Test
    void whereNothingKeepsTheLimitsTheReasonIsTold() {
        String result = """
                {"devices": [{"device": "A", "phases": [{"phase": "decode", "rejected": [{"reason": "tpot"}, {"reason": "memory"}]}]}]}""";

        assertThat(ResultGlance.of(result)).contains(new JobAnswer(List.of(), null, null, null, "tpot"));
    }

    @Test
    void whatIsNoResultHasNoAnswer() {
        assertThat(ResultGlance.of("{}")).isEmpty();
        assertThat(ResultGlance.of("ab")).isEmpty();
    }
}
