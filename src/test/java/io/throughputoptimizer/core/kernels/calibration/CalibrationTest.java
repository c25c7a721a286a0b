package io.throughputoptimizer.core.kernels.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.kernels.calibration.Calibration.Choice;
import io.throughputoptimizer.fixture.Silicon;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CalibrationTest {
    private static final String TYPE = "kv_bf16";

    @Test
    void theBackendsOwnSetComesFirst() {
        assertChoice(calibration(Map.of("vllm", set(1), "pooled", set(2))), "vllm", 1, Basis.OWN);
    }

    @Test
    void aSetThatWasSetAsideGivesWayToThePooledOne() {
        assertChoice(calibration(Map.of("vllm", aside(1), "pooled", set(2))), "vllm", 2, Basis.POOLED);
        assertChoice(calibration(Map.of("trtllm", set(1), "pooled", set(2))), "vllm", 2, Basis.POOLED);
    }

    @Test
    void withoutAPooledSetTheFirstByNameIsTaken() {
        assertChoice(calibration(Map.of("vllm", aside(1), "trtllm", aside(2))), "vllm", 2, Basis.SPECIAL);
    }

    @Test
    void aDeviceWithoutAnyBorrowsAndLoansAreNotPassedOn() {
        Calibration rich = calibration(Map.of("vllm", set(1)));
        Calibration poor = calibration(Map.of());

        assertChoice(poor.borrowingFrom(rich), "vllm", 1, Basis.FAMILY);
        assertThat(poor.borrowingFrom(poor.borrowingFrom(rich)).choose(KernelClass.MLA_DECODE, TYPE, "vllm"))
                .isEqualTo(new Choice(null, Basis.NONE));
    }

    @Test
    void productsOfTensorRtInFp8AreTakenWithoutTheirQuantization() {
        Calibration h100 = Silicon.calibration("h100_sxm");

        Choice choice = h100.choose(KernelClass.GEMM, "fp8", "trtllm");

        assertThat(choice.basis()).isEqualTo(Basis.OWN);
        assertThat(Objects.requireNonNull(choice.set()).get("launch_us")).isEqualTo(3.72);
        assertThat(h100.choose(KernelClass.GEMM, "bfloat16", "trtllm").basis()).isEqualTo(Basis.OWN);
        assertThat(h100.choose(KernelClass.GEMM, "fp8_block", "vllm").basis()).isEqualTo(Basis.POOLED);
    }

    @Test
    void launchesForFreeReachTheLenderToo() {
        Calibration free = calibration(Map.of())
                .borrowingFrom(calibration(Map.of("vllm", set(1))))
                .withoutLaunches();

        assertThat(Objects.requireNonNull(free.choose(KernelClass.MLA_DECODE, TYPE, "vllm")
                                .set())
                        .get("launch_us"))
                .isZero();
    }

    private static void assertChoice(Calibration calibration, String backend, double launch, Basis basis) {
        Choice choice = calibration.choose(KernelClass.MLA_DECODE, TYPE, backend);

        assertThat(choice.basis()).isEqualTo(basis);
        assertThat(Objects.requireNonNull(choice.set()).get("launch_us")).isEqualTo(launch);
    }

    private static Calibration calibration(Map<String, ParameterSet> sets) {
        SortedMap<String, ParameterSet> byBackend = new TreeMap<>(sets);
        return new Calibration(
                "some_device",
                "some_family",
                new Peaks(Map.of(MatrixPeak.BF16, 1e15), 1e11, 3e12, new Peaks.Links(4e11, 8, 5e10, true)),
                false,
                Map.of(),
                Calibration.Servers.NONE,
                Map.of(KernelClass.MLA_DECODE, Map.of(TYPE, byBackend)),
                AllReduces.NONE,
                null,
                null);
    }

    private static ParameterSet set(double launch) {
        return new ParameterSet(Map.of("launch_us", launch), null, null);
    }

    private static ParameterSet aside(double launch) {
        return new ParameterSet(Map.of("launch_us", launch), "unusual", null);
    }
}
