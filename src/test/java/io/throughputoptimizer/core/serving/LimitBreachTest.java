package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class LimitBreachTest {
    private static final double GIB = MemoryFootprint.GIB;

    static Stream<Arguments> earlyStops() {
        return OptimizerVectors.arguments(OptimizerVectors.common("early_stop"));
    }

    @ParameterizedTest
    @MethodSource("earlyStops")
    void aProbeStopsWhereTheReferenceStops(JsonNode vector) {
        ServingPoint point = point(
                OptimizerVectors.number(vector, "ttft"),
                OptimizerVectors.number(vector, "tpot"),
                memoryWithFree(vector.required("memory_left_gb").doubleValue()));
        Limits limits = new Limits(
                OptimizerVectors.number(vector, "ttft_limits"), OptimizerVectors.number(vector, "tpot_limits"));

        assertThat(ServingOutcome.of(point, limits) instanceof ServingOutcome.Infeasible)
                .isEqualTo(vector.required("stop").booleanValue());
    }

    @Test
    void memoryComesBeforeTpotAndTpotBeforeTtft() {
        Limits limits = new Limits(1.0, 1.0);

        assertThat(LimitBreach.first(point(2.0, 2.0, memoryWithFree(-1)), limits))
                .containsInstanceOf(LimitBreach.OutOfMemory.class);
        assertThat(LimitBreach.first(point(2.0, 2.0, memoryWithFree(1)), limits))
                .contains(new LimitBreach.TpotExceeded(2, 1));
        assertThat(LimitBreach.first(point(2.0, 1.0, memoryWithFree(1)), limits))
                .contains(new LimitBreach.TtftExceeded(2, 1));
    }

    @Test
    void memoryIsThatOfThePhaseThatLeavesLess() {
        PhaseCost roomy = new PhaseCost(BoundShares.ZERO, memoryWithFree(2));
        PhaseCost tight = new PhaseCost(BoundShares.ZERO, memoryWithFree(1));

        assertThat(new PhaseCosts(roomy, tight).memory()).isEqualTo(tight.memory());
        assertThat(new PhaseCosts(tight, roomy).memory()).isEqualTo(tight.memory());
    }

    @ParameterizedTest
    @CsvSource({
        "71.25, 0, 64, 10, needs 71.2 GB of 54.0 GB",
        "30, 24.01, 64, 10, needs 54.01 GB of 54.00 GB",
        "30, 24.000001, 64, 10, needs 54.000001 GB of 54.000000 GB"
    })
    void aMemoryBreachSaysWhatIsNeededAndWhatThereIs(
            double weights, double activation, double capacity, double reserved, String description) {
        MemoryFootprint memory = new MemoryFootprint(
                capacity * GIB, reserved * GIB, weights * GIB, 0, 0, 0, activation * GIB, false, true);

        assertThat(new LimitBreach.OutOfMemory(memory).description()).isEqualTo(description);
    }

    @ParameterizedTest
    @CsvSource({
        "2310.4, 2000, TTFT 2310.4 ms exceeds 2000 ms by 310.4 ms",
        "50.004, 50, TTFT 50.004 ms exceeds 50 ms by 0.004 ms",
        "51, 49.9996, TTFT 51.0 ms exceeds 49.9996 ms by 1.0 ms"
    })
    void aLatencyBreachSaysByHowMuch(double millis, double limit, String description) {
        assertThat(new LimitBreach.TtftExceeded(millis, limit).description()).isEqualTo(description);
        assertThat(new LimitBreach.TpotExceeded(millis, limit).description())
                .isEqualTo(description.replace("TTFT", "TPOT"));
    }

    private static ServingPoint point(@Nullable Double ttft, @Nullable Double tpot, MemoryFootprint memory) {
        return new ServingPoint(
                new Load(1, 1),
                new Figures(ttft, tpot, 1, 1, 1, null, null),
                new PhaseCosts(new PhaseCost(BoundShares.ZERO, memory), null),
                1,
                List.of());
    }

    private static MemoryFootprint memoryWithFree(double freeGib) {
        return new MemoryFootprint(freeGib * GIB, 0, 0, 0, 0, 0, 0, false, true);
    }
}
