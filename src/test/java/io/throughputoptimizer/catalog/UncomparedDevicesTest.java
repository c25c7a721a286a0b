package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.hardware.DeviceProfile.Memory;
import io.throughputoptimizer.core.hardware.Interconnect.Link;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Devices whose figures are those of data sheets or of others' estimates, and names that people have for devices.
class UncomparedDevicesTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    static List<DeviceProfile> uncompared() {
        return CATALOGS.devices().all().stream()
                .filter(device -> Boolean.FALSE.equals(document(device.name()).comparedWithSilicon()))
                .toList();
    }

    private static DeviceDocument document(String name) {
        return CATALOGS.deviceDocument(name).orElseThrow();
    }

    private static DeviceProfile device(String name) {
        return CATALOGS.devices().find(name).orElseThrow();
    }

    @Test
    void thereAreFifteenOfAscendAndTwentySevenOfOthers() {
        assertThat(uncompared().stream().collect(Collectors.groupingBy(DeviceProfile::vendor, Collectors.counting())))
                .isEqualTo(Map.of("HUAWEI", 15L, "NVIDIA", 17L, "AMD", 4L, "INTEL", 3L, "GOOGLE", 2L, "AWS", 1L));
    }

    @ParameterizedTest
    @MethodSource("uncompared")
    void eachSaysSoAndWhereItsFiguresComeFrom(DeviceProfile device) {
        assertThat(device.caveats())
                .containsExactly(device.name()
                        + " is not compared with silicon: its figures are those of data sheets and estimates");
        assertThat(document(device.name()).source())
                .containsAnyOf("data sheet", "white paper", "documentation", "product brief", "msmodeling")
                .containsAnyOf("fitted to none", "not calibrated");
        assertThat(CATALOGS.calibrationOf(device.name())).isEmpty();
    }

    /// A figure with sparsity would be twice as high as its neighbour says: 8 bits multiply at most twice as fast as
    /// 16.
    @ParameterizedTest
    @MethodSource("uncompared")
    void narrowTypesAreNoFasterThanTheirWidthAllows(DeviceProfile device) {
        Map<DataType, Double> rates = device.compute().matrixOperationsPerSecond();
        double half = Objects.requireNonNull(rates.get(DataType.BFLOAT16));

        assertThat(rates.get(DataType.FLOAT16)).isEqualTo(half);
        assertThat(rates.get(DataType.FLOAT32)).isBetween(half / 17, half);
        assertThat(rates.getOrDefault(DataType.FLOAT8_E4M3, 2 * half)).isBetween(0.9 * half, 2.01 * half);
        assertThat(rates.getOrDefault(DataType.INT8, 2 * half)).isBetween(1.9 * half, 4.01 * half);
        double fp4 = rates.getOrDefault(DataType.INT4, 4 * half);
        assertThat(fp4 == half || (fp4 >= 3.9 * half && fp4 <= 8.01 * half)).isTrue();
    }

    /// Peaks in 10^12 operations per second, memory in GB and 10^9 bytes per second, links in 10^9 bytes per second, as
    /// data sheets have them. Types without a unit
    /// have the rate of 16 bits on Ampere and on the last 13 devices.
    @ParameterizedTest
    @CsvSource({
        "H20, 148, 296, , 96, 4000, 450 8",
        "H100_PCIE, 756.5, 1513, , 80, 2000, 64 8",
        "A100_PCIE, 312, 312, 312, 80, 1935, 32 8",
        "L4, 121, 242, , 24, 300, 32 8",
        "A30, 165, 165, 165, 24, 933, 32 8",
        "RTX_5090, 209.5, 419, 1676, 32, 1792, 64 8",
        "DGX_SPARK, 125, 250, 500, 119.6, 273, 25 2",
        "MI300X, 1307.4, 2614.9, , 192, 5300, 448 8",
        "MI325X, 1307.4, 2614.9, , 256, 6000, 448 8",
        "MI355X, 2516.6, 5033.2, 10066.3, 288, 8000, 537.6 8",
        "GAUDI3, 1835, 1835, , 128, 3670, 525 8",
        "TPU_V6E, 918, , , 32, 1638, 400 256",
        "TPU_V7, 2307, 4614, , 192, 7380, 600 9216",
        "TRAINIUM2, 667, 1299, , 96, 2900, 640 16",
        "RTX_4090, 165.2, 330.3, 165.2, 24, 1008, 32 8",
        "RTX_3090, 71, 71, 71, 24, 936, 32 8",
        "A10, 125, 125, 125, 24, 600, 32 8",
        "A40, 149.7, 149.7, 149.7, 48, 696, 32 8",
        "RTX_A6000, 154.8, 154.8, 154.8, 48, 768, 32 8",
        "RTX_6000_ADA, 364.2, 728.5, 364.2, 48, 960, 32 8",
        "L20, 119.5, 239, 119.5, 48, 864, 32 8",
        "GH200_96, 989, 1979, 989, 96, 4000, 450 32",
        "GH200_144, 989, 1979, 989, 144, 4900, 450 32",
        "H20_141, 148, 296, 148, 141, 4800, 450 8",
        "MI350P, 1150, 2300, 4600, 144, 4000, 64 8",
        "ARC_PRO_B60, 98.3, 98.3, 98.3, 24, 456, 32 8",
        "ARC_PRO_B70, 183.5, 183.5, 183.5, 32, 608, 64 8"
    })
    void peaksAreThoseOfTheDataSheet(
            String name, double half, Double fp8, Double fp4, double gigabytes, double memory, String links) {
        DeviceProfile device = device(name);
        Map<DataType, Double> rates = device.compute().matrixOperationsPerSecond();
        Link inner = device.interconnect().links().getLast();

        assertThat(rates).containsEntry(DataType.BFLOAT16, half * 1e12);
        assertThat(rates.get(DataType.FLOAT8_E4M3)).isEqualTo(fp8 == null ? null : Double.valueOf(fp8 * 1e12));
        assertThat(rates.get(DataType.INT4)).isEqualTo(fp4 == null ? null : Double.valueOf(fp4 * 1e12));
        assertThat(device.memory().capacityBytes()).isEqualTo(gigabytes * 0x1p30);
        assertThat(device.memory().bytesPerSecond()).isCloseTo(memory * 1e9, within(1.0));
        assertThat(Arrays.asList(links.split(" ")))
                .containsExactly(
                        String.valueOf(inner.bytesPerSecond() / 1e9).replaceFirst("\\.0$", ""),
                        String.valueOf(device.interconnect().grid().getLast()));
    }

    /// Without units for FP8, products of FP8 weights take as long as those of 16 bits; elsewhere as long as int8.
    @ParameterizedTest
    @CsvSource({
        "A100_SXM, 312",
        "A100_PCIE, 312",
        "A30, 165",
        "RTX_3090, 71",
        "A10, 125",
        "A40, 149.7",
        "RTX_A6000, 154.8",
        "ARC_PRO_B60, 98.3",
        "ARC_PRO_B70, 183.5",
        "H100_SXM, 1978",
        "RTX_4090, 660.6",
        "L20, 239",
        "ATLAS_800_A2_313T_64G, 626"
    })
    void productsOfFloat8NeedUnitsToBeFaster(String name, double tera) {
        DeviceProfile.Compute compute = device(name).compute();

        assertThat(compute.effectiveMatrixRate(DataType.FLOAT8_E5M2)).hasValue(tera * 1e12 * compute.efficiency());
    }

    /// What a name like `ATLAS_850E_425T_96G_ROCE` says: the chip, its memory, and how many hang together how.
    static Stream<DeviceProfile> ascend() {
        return uncompared().stream().filter(device -> device.vendor().equals("HUAWEI"));
    }

    @ParameterizedTest
    @MethodSource("ascend")
    void anAscendDeviceIsWhatItsNameSays(DeviceProfile device) {
        String[] parts = device.name().split("_", -1);
        double half = parts[2].equals("486T") ? 432 : 378;
        Map<String, Double> bandwidths = Map.of("112G", 1.4, "128G", 1.6, "96G", 4.0, "144G", 4.0);
        List<Integer> grid = parts.length > 4
                ? Map.of("ROCE", List.of(8, 8), "FM16", List.of(16)).get(parts[4])
                : parts[1].equals("950") ? List.of(16, 8, 8) : List.of(128, 8);

        assertThat(device.compute().matrixOperationsPerSecond()).containsEntry(DataType.BFLOAT16, half * 1e12);
        assertThat(device.memory())
                .isEqualTo(new Memory(
                        Double.parseDouble(parts[3].replace("G", "")) * 0x1p30,
                        Objects.requireNonNull(bandwidths.get(parts[3])) * 0x1p40,
                        0.8));
        assertThat(device.interconnect().grid()).isEqualTo(grid);
    }

    @ParameterizedTest
    @CsvSource({
        "910B2, ATLAS_800_A2_376T_64G",
        "910B3, ATLAS_800_A2_313T_64G",
        "910B4, ATLAS_800_A2_280T_32G_PCIE",
        "910C, ATLAS_800_A3_752T_128G_DIE"
    })
    void anAliasIsTheSameDeviceAndSaysWhich(String alias, String name) {
        DeviceProfile same = device(alias);

        assertThat(same.name()).isEqualTo(alias);
        assertThat(same.caveats()).singleElement().asString().startsWith(alias + " stands for " + name + ": ");
        assertThat(same)
                .usingRecursiveComparison()
                .ignoringFields("name", "caveats")
                .isEqualTo(device(name));
        assertThat(document(alias)).isEqualTo(document(name));
        assertThat(CATALOGS.calibrationOf(alias)).isEqualTo(CATALOGS.calibrationOf(name));
        assertThat(CATALOGS.devices().names()).doesNotContain(alias);
        assertThat(CATALOGS.devices().namesAndAliases()).contains(alias, name);
    }

    @Test
    void whatWasCalibratedWasCompared() {
        DeviceDocument measured = document("H100_SXM");
        DeviceDocument contradictory = new DeviceDocument(
                measured.name(),
                measured.vendor(),
                measured.source(),
                measured.compute(),
                measured.memory(),
                measured.staticCostsUs(),
                measured.interconnect(),
                null,
                measured.calibration(),
                false,
                List.of(new DeviceDocument.DeviceAlias("not a name", " ")));

        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(contradictory::toProfile)
                .satisfies(refusal -> assertThat(refusal.defects())
                        .extracting(Defect::pointer)
                        .containsExactly("/compared_with_silicon", "/aliases/0/name", "/aliases/0/means"));
    }
}
