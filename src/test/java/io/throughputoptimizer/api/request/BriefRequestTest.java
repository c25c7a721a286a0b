package io.throughputoptimizer.api.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BriefRequestTest {
    private static final String LONG = "x".repeat(BriefRequest.LONGEST);

    @Test
    void aShortRequestIsWhole() {
        String request = "{\"model_id\":\"a\",\"model_config\":{\"x\":[1,2.50]}}";

        assertThat(BriefRequest.of(request)).isEqualTo(new BriefRequest(request, List.of()));
    }

    @Test
    void longMembersAreLeftOutAndNamedAndTheOthersStayAsTheyAre() {
        BriefRequest brief = BriefRequest.of("{\"model_id\":\"a\\\"b\",\"model_config\":{\"a\":1.50,\"x\":\"" + LONG
                + "\"},\"devices\":[\"D\"],\"device_profiles\":[{\"name\":\"" + LONG
                + "\"}],\"num_devices\":8,\"workload\":{\"bins\":[" + "1,".repeat(BriefRequest.LONGEST)
                + "1],\"output_length\":100}}");

        assertThat(brief.json())
                .isEqualTo("{\"model_id\":\"a\\\"b\",\"model_config\":{\"a\":1.50},\"devices\":[\"D\"],"
                        + "\"num_devices\":8,\"workload\":{\"output_length\":100}}");
        assertThat(brief.abridged()).containsExactly("model_config", "device_profiles", "workload");
    }

    @Test
    void manyShortMembersAreBoundedToo() {
        String many =
                IntStream.range(0, 100_000).mapToObj(i -> "\"k" + i + "\":1").collect(Collectors.joining(","));
        String sections = IntStream.range(0, 100)
                .mapToObj(i -> "\"s" + i + "\":\"" + "y".repeat(1_000) + "\"")
                .collect(Collectors.joining(","));

        BriefRequest brief =
                BriefRequest.of("{\"model_config\":{" + many + "}," + sections + ",\"mode\":\"capacity\"}");

        assertThat(brief.json()).hasSizeLessThanOrEqualTo(BriefRequest.LONGEST).doesNotContain("k1");
        assertThat(brief.json()).startsWith("{\"s0\":\"y").endsWith("\"mode\":\"capacity\"}");
        assertThat(brief.abridged()).contains("model_config", "s99");
    }
}
