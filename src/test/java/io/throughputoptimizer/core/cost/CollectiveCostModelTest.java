package io.throughputoptimizer.core.cost;

import static io.throughputoptimizer.core.cost.TestDevice.COMMUNICATION_STATIC;
import static io.throughputoptimizer.core.cost.TestDevice.MESH;
import static io.throughputoptimizer.core.cost.TestDevice.OUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.operator.AllToAll;
import io.throughputoptimizer.core.operator.Collective;
import io.throughputoptimizer.core.operator.Collective.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CollectiveCostModelTest {
    private static final double TINY = 1e-15;

    @Test
    void aGroupOfOneRankPaysTheStaticCostAndItsMemoryTraffic() {
        OperatorCost cost = cost(Kind.ALL_REDUCE, 1000, ProcessGroup.contiguous(1));

        assertThat(cost.communicationSeconds()).isZero();
    }

    @Test
    void aPartOfAMeshGetsItsShareOfTheBandwidth() {
        double bytes = 2e8;
        double bandwidth = MESH.effectiveBytesPerSecond() * 3 / 7;

        assertThat(communication(Kind.ALL_GATHER, bytes, ProcessGroup.contiguous(4)))
                .isCloseTo(2 * MESH.latencySeconds() + 3 * bytes / bandwidth, within(TINY));
    }

    @Test
    void aGroupAcrossNodesUsesTheOuterLinksForAllTraffic() {
        double bytes = 2e8;

        assertThat(communication(Kind.ALL_GATHER, bytes, ProcessGroup.contiguous(16)))
                .isCloseTo(4 * OUTER.latencySeconds() + 15 * bytes / OUTER.effectiveBytesPerSecond(), within(TINY));
    }

    @Test
    void aStridedGroupCrossesNodesEvenWhenSmall() {
        double bytes = 2e8;

        assertThat(communication(Kind.ALL_GATHER, bytes, new ProcessGroup(2, 8)))
                .isCloseTo(OUTER.latencySeconds() + bytes / OUTER.effectiveBytesPerSecond(), within(TINY));
    }

    @Test
    void aSmallAllReduceTakesTheTreeAndALargeOneTheRing() {
        double bandwidth = MESH.effectiveBytesPerSecond();
        double latency = MESH.latencySeconds();

        assertThat(communication(Kind.ALL_REDUCE, 200, ProcessGroup.contiguous(8)))
                .isCloseTo(2 * 3 * latency + 2 * 200 / bandwidth, within(TINY));
        assertThat(communication(Kind.ALL_REDUCE, 2e8, ProcessGroup.contiguous(8)))
                .isCloseTo(2 * 7 * latency + 2 * 7 * 2e8 / 8 / bandwidth, within(TINY));
    }

    @Test
    void aReduceScatterMovesOneShareAStep() {
        double bandwidth = MESH.effectiveBytesPerSecond();

        assertThat(communication(Kind.REDUCE_SCATTER, 2e8, ProcessGroup.contiguous(8)))
                .isCloseTo(3 * MESH.latencySeconds() + 7 * (2e8 / 8) / bandwidth, within(TINY));
    }

    @Test
    void anExchangeTakesAsLongAsTheLargerOfWhatIsSentAndReceived() {
        double exchanged = 3e8;
        Tensor rows = Tensor.half(1000, 1000);
        OperatorCost cost =
                TestDevice.cost(new AllToAll(rows, rows.sameShape(), Form.of(exchanged), ProcessGroup.contiguous(8)));

        double seconds = 3 * MESH.latencySeconds() + exchanged / MESH.effectiveBytesPerSecond();
        assertThat(cost.communicationSeconds()).isCloseTo(seconds, within(TINY));
        assertThat(cost.seconds()).isCloseTo(seconds + COMMUNICATION_STATIC, within(TINY));
    }

    @Test
    void theStaticCostComesOnTop() {
        OperatorCost cost = cost(Kind.ALL_REDUCE, 2e8, ProcessGroup.contiguous(8));

        assertThat(cost.seconds()).isCloseTo(cost.communicationSeconds() + COMMUNICATION_STATIC, within(TINY));
        assertThat(cost.bound()).isEqualTo(OperatorCost.Bound.COMMUNICATION);
    }

    /// The links tell by their latency which level was taken; what each member's coordinate says is counted out.
    @Test
    void theLevelOfAGroupIsTheOutermostOneInWhichAnyTwoOfItsRanksDiffer() {
        for (int size = 2; size <= 40; size++) {
            for (int stride = 1; stride <= 70; stride++) {
                int step = stride;
                boolean outer = IntStream.range(1, size).anyMatch(member -> member * step / 8 % 4 != 0);

                assertThat(communication(Kind.ALL_GATHER, 0, new ProcessGroup(size, stride)))
                        .isCloseTo(
                                Math.min(size - 1, Math.log(size) / Math.log(2))
                                        * (outer ? OUTER : MESH).latencySeconds(),
                                within(TINY));
            }
        }
    }

    private double communication(Kind kind, double bytes, ProcessGroup group) {
        return cost(kind, bytes, group).communicationSeconds();
    }

    private OperatorCost cost(Kind kind, double bytes, ProcessGroup group) {
        Tensor input = Tensor.half((long) bytes / 2);
        return TestDevice.cost(new Collective(kind, input, input.sameShape(), group));
    }
}
