package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.serving.Accounting.QueryRate;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class QueryRateTest {

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.common("table_qps"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void requestsPerSecondEqualTheReference(JsonNode vector) {
        @Nullable Double expected = OptimizerVectors.number(vector, "qps");
        OptionalDouble rate = QueryRate.of(
                vector.required("concurrency").longValue(),
                OptimizerVectors.number(vector, "ttft"),
                OptimizerVectors.number(vector, "tpot"),
                vector.path("output_length").asInt(0));

        assertThat(rate).isEqualTo(expected == null ? OptionalDouble.empty() : OptionalDouble.of(expected));
    }
}
