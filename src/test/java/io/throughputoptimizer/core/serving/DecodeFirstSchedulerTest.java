package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class DecodeFirstSchedulerTest {

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.common("scheduler_decide"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void stepsEqualThoseOfTheReference(JsonNode vector) {
        DecodeFirstScheduler scheduler =
                new DecodeFirstScheduler(vector.required("max_batched_tokens").longValue());

        assertThat(scheduler.decide(
                        vector.required("ready_decode").longValue(),
                        vector.required("pending_prefill").longValue(),
                        vector.required("chunk_query_len").intValue()))
                .isEqualTo(new DecodeFirstScheduler.Step(
                        vector.required("p_step").longValue(),
                        vector.required("d_step").longValue()));
    }
}
