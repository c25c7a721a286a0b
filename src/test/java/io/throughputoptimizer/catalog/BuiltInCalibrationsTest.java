package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Engine.Fitted;
import io.throughputoptimizer.core.kernels.Engine.PassFactors;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import io.throughputoptimizer.core.load.EngineSettings;
import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.memory.MemorySettings;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BuiltInCalibrationsTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    private static final Percentage EXACT = withinPercentage(1e-12);
    private static final Map<MatrixPeak, DataType> TYPES = Map.of(
            MatrixPeak.BF16, DataType.BFLOAT16,
            MatrixPeak.FP8, DataType.FLOAT8_E4M3,
            MatrixPeak.FP4, DataType.INT4,
            MatrixPeak.INT8, DataType.INT8);

    @ParameterizedTest
    @CsvSource({
        "H100_SXM, h100_sxm, hopper, h200_sxm",
        "H200_SXM, h200_sxm, hopper, h100_sxm",
        "B200_SXM, b200_sxm, blackwell, gb200",
        "B300_SXM, b300_sxm, blackwell, gb300",
        "GB200, gb200, blackwell, b200_sxm",
        "GB300, gb300, blackwell, b300_sxm",
        "A100_SXM, a100_sxm, ampere,",
        "L40S, l40s, ada,",
        "RTX_PRO_6000, rtx_pro_6000_server, blackwell-pcie,",
        "ATLAS_800_A2_376T_64G, ascend_910b, ascend,"
    })
    void eachBorrowsFromItsOwnKind(String name, String device, String family, String lender) {
        Calibration calibration = Objects.requireNonNull(CATALOGS.calibrations().get(name));

        assertThat(calibration.device()).isEqualTo(device);
        assertThat(calibration.family()).isEqualTo(family);
        assertThat(calibration.lender() == null ? null : calibration.lender().device())
                .isEqualTo(lender);
    }

    @Test
    void otherDevicesHaveNone() {
        assertThat(CATALOGS.calibrations()).hasSize(10).doesNotContainKey("TEST_DEVICE");
    }

    static Set<String> names() {
        return CATALOGS.calibrations().keySet();
    }

    /// Both cost models are about the same device. Formats without units of their own run at the rate of bf16, if at
    /// all.
    @ParameterizedTest
    @MethodSource("names")
    void peaksMemoryAndLinkAreThoseOfTheProfile(String name) {
        DeviceProfile profile = CATALOGS.devices().find(name).orElseThrow();
        Peaks peaks = Objects.requireNonNull(CATALOGS.calibrations().get(name)).peaks();

        TYPES.forEach((peak, type) -> assertThat(
                        profile.compute().matrixOperationsPerSecond().getOrDefault(type, 0.0))
                .as(peak.name())
                .isIn(peaks.has(peak) ? List.of(peaks.rate(peak)) : List.of(0.0, peaks.rate(MatrixPeak.BF16))));
        assertThat(profile.memory().capacityBytes()).isEqualTo(peaks.memoryBytes());
        assertThat(profile.memory().bytesPerSecond()).isCloseTo(peaks.memoryBytesPerSecond(), EXACT);
        assertThat(profile.interconnect().links().getLast().bytesPerSecond())
                .isEqualTo(peaks.links().bytesPerSecond());
    }

    @ParameterizedTest
    @MethodSource("names")
    void aNewDeviceSaysThatItsEfficienciesAreGeneric(String name) {
        DeviceDocument document = CATALOGS.deviceDocument(name).orElseThrow();

        if ("NVIDIA".equals(document.vendor())) {
            assertThat(document.source()).contains("Efficiencies, launch overheads and latencies are generic");
        }
    }

    @Test
    void enginesAreThoseThatWereFitted() {
        Map<String, Engine> engines = CATALOGS.engines();

        assertThat(engines).containsOnlyKeys("trtllm", "vllm", "sglang", "vllm-ascend");
        assertThat(engines.get("sglang"))
                .isEqualTo(new Engine(
                        "sglang",
                        new EngineSettings(new Scheduling(Policy.ALTERNATE, 16_384), 1, 165, 0),
                        4096,
                        Objects.requireNonNull(engines.get("sglang")).memory(),
                        MemorySettings.DEFAULTS,
                        false,
                        new PassFactors(0.87, 1.5, 1),
                        new Fitted(146.4, new PassFactors(0.834, 1.159, 2.024))));
        assertThat(engines.get("trtllm"))
                .isEqualTo(new Engine(
                        "trtllm",
                        new EngineSettings(new Scheduling(Policy.MIXED, 8192), 1, 45, 0),
                        2048,
                        Objects.requireNonNull(engines.get("trtllm")).memory(),
                        MemorySettings.DEFAULTS,
                        true,
                        new PassFactors(0.87, 1.5, 1),
                        new Fitted(46.2, new PassFactors(0.834, 1.159, 1.445))));
        assertThat(Objects.requireNonNull(engines.get("vllm")).withExperts())
                .isEqualTo(new Fitted(22.1, new PassFactors(0.834, 1.159, 1.656)));
        assertThat(Objects.requireNonNull(engines.get("vllm-ascend")).withExperts())
                .isNull();
    }
}
