package io.throughputoptimizer.core.kernels.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.kernels.calibration.Calibration.Choice;
import io.throughputoptimizer.fixture.Silicon;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Sets of kernels whose backends were never joined.
class NearestSetTest {
    private static final String FP8 = "fp8_block/kv_fp8";
    private static final String FP8_SHARED = "fp8_block/kv_fp8/shared_index";

    @Test
    void theBackendsOwnSetComesFirstThenVllmSglangAndTensorRt() {
        Calibration device = device(Map.of(FP8, Map.of("sglang", set(1), "trtllm", set(2))));

        assertChoice(device, FP8, "trtllm", 2, Basis.OWN);
        assertChoice(device, FP8, "vllm", 1, Basis.SPECIAL);
        assertChoice(
                device(Map.of(FP8, Map.of("vllm", set(3), "sglang", aside(1), "trtllm", set(2)))),
                FP8,
                "sglang",
                3,
                Basis.SPECIAL);
    }

    @Test
    void theOtherCacheStandsInBeforeOtherProducts() {
        Map<String, Map<String, ParameterSet>> all = Map.of(
                "fp8_block/kv_bf16", Map.of("vllm", set(2)),
                "bfloat16/kv_fp8", Map.of("trtllm", set(3)),
                "bfloat16/kv_bf16", Map.of("trtllm", set(4)));

        assertChoice(device(all), FP8, "trtllm", 2, Basis.SPECIAL);
        assertChoice(device(without(all, "fp8_block/kv_bf16")), FP8, "trtllm", 3, Basis.SPECIAL);
        assertChoice(device(Map.of("bfloat16/kv_bf16", Map.of("trtllm", set(4)))), FP8, "trtllm", 4, Basis.SPECIAL);
    }

    @Test
    void aSharedIndexStandsInBeforeALayersOwn() {
        Map<String, Map<String, ParameterSet>> both =
                Map.of(FP8, Map.of("vllm", set(1)), "bfloat16/kv_bf16/shared_index", Map.of("sglang", set(2)));

        assertChoice(device(both), FP8_SHARED, "vllm", 2, Basis.SPECIAL);
        assertChoice(device(Map.of(FP8, Map.of("vllm", set(1)))), FP8_SHARED, "vllm", 1, Basis.SPECIAL);
        assertThat(choice(device(Map.of(FP8_SHARED, Map.of("vllm", set(1)))), FP8, "vllm"))
                .isEqualTo(new Choice(null, Basis.NONE));
    }

    @Test
    void theFamilyLendsAndThenTheDeviceThatStandsForTheGeneration() {
        Calibration measured = device(Map.of(FP8, Map.of("vllm", set(1))));
        Calibration other = device(Map.of(FP8, Map.of("vllm", set(2))));
        Calibration bare = device(Map.of());

        assertChoice(bare.borrowingFrom(measured).standingInBy(other), FP8, "vllm", 1, Basis.FAMILY);
        assertChoice(bare.borrowingFrom(bare).standingInBy(other), FP8, "sglang", 2, Basis.PEAKS);
        assertThat(choice(bare.standingInBy(bare.standingInBy(other)), FP8, "vllm"))
                .isEqualTo(new Choice(null, Basis.NONE));
    }

    @Test
    void nothingIsBorrowedForWhatWasMeasuredAndCannotBeDescribed() {
        Calibration measured = device(Map.of(FP8, Map.of("vllm", set(1))));
        Calibration odd = device(Map.of("bfloat16/kv_fp8", Map.of("sglang", aside(2))));

        assertThat(choice(odd.borrowingFrom(measured).standingInBy(measured), FP8, "vllm"))
                .isEqualTo(new Choice(null, Basis.NONE));
    }

    /// Some calibrations list a class without any set.
    @Test
    void aClassWithoutSetsCountsAsAbsent() {
        Calibration measured = device(Map.of(FP8, Map.of("vllm", set(1))));
        Calibration empty = device(Map.of(FP8, Map.of()));

        assertChoice(empty.borrowingFrom(measured), FP8, "vllm", 1, Basis.FAMILY);
    }

    @Test
    void anAssumedSetIsSpecial() {
        Calibration device = device(Map.of(
                FP8, Map.of("vllm", new ParameterSet(Map.of("launch_us", 1.0), null, "as of another product"))));

        assertChoice(device, FP8, "vllm", 1, Basis.SPECIAL);
    }

    @Test
    void onlyPricesThatNobodyComparedAreUncalibrated() {
        assertThat(Basis.values()).filteredOn(Basis::isUncalibrated).containsExactly(Basis.PEAKS, Basis.NONE);
    }

    @Test
    void theCatalogueLendsWithinGenerations() {
        Calibration a100 = Silicon.calibration("a100_sxm");

        assertThat(a100.choose(KernelClass.GDN_UPDATE, KernelClass.PLAIN_TYPE, "vllm")
                        .basis())
                .isEqualTo(Basis.SPECIAL);
        Choice scan = a100.choose(KernelClass.GDN_SCAN, KernelClass.PLAIN_TYPE, "vllm");
        assertThat(scan.basis()).isEqualTo(Basis.PEAKS);
        assertThat(scan.set())
                .isEqualTo(Silicon.calibration("h200_sxm")
                        .choose(KernelClass.GDN_SCAN, KernelClass.PLAIN_TYPE, "vllm")
                        .set());
        assertThat(Silicon.calibration("ascend_910b")
                        .choose(KernelClass.GDN_SCAN, KernelClass.PLAIN_TYPE, "vllm-ascend"))
                .isEqualTo(new Choice(null, Basis.NONE));
    }

    private static void assertChoice(Calibration calibration, String type, String backend, double launch, Basis basis) {
        Choice choice = choice(calibration, type, backend);

        assertThat(choice.basis()).isEqualTo(basis);
        assertThat(Objects.requireNonNull(choice.set()).get("launch_us")).isEqualTo(launch);
    }

    private static Choice choice(Calibration calibration, String type, String backend) {
        return calibration.choose(KernelClass.DSA_DECODE, type, backend);
    }

    private static Map<String, Map<String, ParameterSet>> without(
            Map<String, Map<String, ParameterSet>> sets, String type) {
        return sets.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(type))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Calibration device(Map<String, Map<String, ParameterSet>> sets) {
        Map<String, SortedMap<String, ParameterSet>> sorted = sets.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> new TreeMap<>(entry.getValue())));
        return new Calibration(
                "some_device",
                "some_family",
                new Peaks(Map.of(MatrixPeak.BF16, 1e15), 1e11, 3e12, new Peaks.Links(4e11, 8, 5e10, true)),
                false,
                Map.of(),
                Calibration.Servers.NONE,
                Map.of(KernelClass.DSA_DECODE, sorted),
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
