package io.throughputoptimizer.core.kernels.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.calibration.AllReduces;
import io.throughputoptimizer.core.kernels.calibration.AllReduces.Point;
import io.throughputoptimizer.core.kernels.calibration.Basis;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// All-reduces by table, by form and, where neither is, like other collectives. Prices against
/// figures computed apart are in [KernelVectorsTest].
class AllReduceTest {
    private static final double MEGABYTE = 1 << 20;

    /// Two measured points and the worked figures between and beyond them.
    @ParameterizedTest
    @CsvSource({
        "1, 4", "100, 4", "200, 8", "400, 16", "800, 32",
    })
    void betweenTwoPointsLiesTheLineOfTheirLogarithms(double bytes, double micros) {
        Collective tabled = AllReduce.Tabled.of(List.of(new Point(100, 4), new Point(400, 16)), 1e9, 1e9);

        assertThat(tabled.microseconds(bytes)).isCloseTo(micros, withinPercentage(1e-10));
    }

    @Test
    void theWorkedExamplesAreThoseOfTheTableAndOfTheForm() {
        assertThat(all("h200_sxm", "trtllm", 8).kernel().microseconds(1_310_720.5))
                .isCloseTo(29.162, within(5e-4));
        assertThat(all("h200_sxm", "sglang", 3).kernel().microseconds(MEGABYTE)).isCloseTo(9.5771, within(5e-5));
    }

    @ParameterizedTest
    @CsvSource({
        "h200_sxm, vllm, 8, OWN",
        "h200_sxm, vllm, 6, OWN",
        "h200_sxm, vllm-ascend, 8, POOLED",
        "h200_sxm, vllm, 16, INTER_NODE",
        "gb200, vllm, 8, OWN",
        "l40s, vllm, 2, OWN",
        "ascend_910b, vllm-ascend, 4, OWN",
    })
    void theBasisSaysWhoseKernelsTheyAre(String device, String backend, int ranks, Basis basis) {
        assertThat(all(device, backend, ranks).use().basis()).isEqualTo(basis);
    }

    /// Engines read the tensor of each peer, so that more ranks take longer: joint parameters
    /// gave nearly the same.
    @ParameterizedTest
    @ValueSource(strings = {"trtllm", "vllm", "sglang"})
    void moreRanksTakeLonger(String backend) {
        double two = all("h200_sxm", backend, 2).kernel().microseconds(MEGABYTE);
        double eight = all("h200_sxm", backend, 8).kernel().microseconds(MEGABYTE);

        assertThat(eight).isGreaterThan(1.3 * two);
    }

    /// As with any form of a latency and a rate, a link twice as fast moves a tensor in the
    /// time of half of it.
    @ParameterizedTest
    @ValueSource(ints = {3, 8})
    void aFasterLinkMovesMoreInTheSameTime(int ranks) {
        Calibration measured = Silicon.calibration("h200_sxm");
        Peaks peaks = measured.peaks();
        Calibration faster = measured.with(new Peaks(
                peaks.matrixOperationsPerSecond(),
                peaks.memoryBytes(),
                peaks.memoryBytesPerSecond(),
                new Peaks.Links(2 * peaks.links().bytesPerSecond(), 8, 5e10, true)));

        Collective now = all("h200_sxm", "vllm", ranks).kernel();
        Collective then = new Kernels(faster, "vllm")
                .collective(Collective.Kind.ALL_REDUCE, ranks)
                .kernel();
        for (double bytes = 64; bytes < 1e10; bytes *= 3) {
            assertThat(then.microseconds(bytes)).isCloseTo(now.microseconds(bytes / 2), withinPercentage(1e-9));
        }
    }

    @Test
    void theyAreNotBorrowed() {
        Calibration h200 = Silicon.calibration("h200_sxm");
        Calibration mine = new Calibration(
                        "mine",
                        "hopper",
                        h200.peaks(),
                        false,
                        Map.of(),
                        Calibration.Servers.NONE,
                        Map.of(),
                        AllReduces.NONE,
                        null,
                        null)
                .borrowingFrom(h200);

        assertThat(new Kernels(mine, "vllm")
                        .collective(Collective.Kind.ALL_REDUCE, 8)
                        .use()
                        .basis())
                .isEqualTo(Basis.FAMILY);
    }

    @Test
    void otherCollectivesAreAsTheyWere() {
        Kernels kernels = new Kernels(Silicon.calibration("h200_sxm"), "vllm");

        assertThat(List.of(Collective.Kind.ALL_GATHER, Collective.Kind.REDUCE_SCATTER, Collective.Kind.ALLTOALL))
                .allSatisfy(kind ->
                        assertThat(kernels.collective(kind, 8).kernel()).isInstanceOf(Collective.Measured.class));
    }

    @Test
    void pointsAreInOrder() {
        List<Point> turned = List.of(new Point(400, 16), new Point(100, 4));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AllReduces(Map.of("vllm", Map.of(2, turned)), Map.of(), 1e9));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AllReduces(Map.of("vllm", Map.of(2, List.<Point>of())), Map.of(), 1e9));
    }

    private static Priced<Collective> all(String device, String backend, int ranks) {
        return new Kernels(Silicon.calibration(device), backend).collective(Collective.Kind.ALL_REDUCE, ranks);
    }
}
