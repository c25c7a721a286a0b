package io.throughputoptimizer.core.hardware;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceFiguresTest {

    @Test
    void computeIsThatOfBfloat16WhereTheDeviceListsIt() {
        DeviceFigures figures = DeviceFigures.of(device(Map.of(
                DataType.FLOAT32, 10e12, DataType.BFLOAT16, 100e12, DataType.FLOAT16, 120e12, DataType.INT8, 240e12)));

        assertThat(figures.matrixTflops()).hasValue(100 * 0.5);
    }

    @Test
    void computeIsThatOfFloat16WithoutBfloat16() {
        DeviceFigures figures = DeviceFigures.of(
                device(Map.of(DataType.FLOAT32, 10e12, DataType.FLOAT16, 120e12, DataType.INT8, 240e12)));

        assertThat(figures.matrixTflops()).hasValue(120 * 0.5);
    }

    @Test
    void computeIsTheHighestRateWithoutEitherHalf() {
        DeviceFigures figures = DeviceFigures.of(device(Map.of(DataType.FLOAT32, 10e12, DataType.INT8, 240e12)));

        assertThat(figures.matrixTflops()).hasValue(240 * 0.5);
    }

    @Test
    void aDeviceWithoutRatesHasNoComputeFigure() {
        assertThat(DeviceFigures.of(device(Map.of())).matrixTflops()).isEmpty();
    }

    @Test
    void bandwidthsAreMultipliedByTheirEfficiencyAndSizesAreNot() {
        DeviceFigures figures = DeviceFigures.of(device(Map.of()));

        assertThat(figures.generalTflops()).hasValue(8 * 0.5);
        assertThat(figures.memoryTbPerSecond()).isEqualTo(2 * 0.75);
        assertThat(figures.memoryGb()).isEqualTo(64);
        assertThat(figures.grid()).containsExactly(4, 8);
        assertThat(figures.linkGbPerSecond()).containsExactly(40 * 0.75, 200 * 0.5);
    }

    @Test
    void typesWithoutAMatrixRateAreNamed() {
        DeviceFigures figures = DeviceFigures.of(device(Map.of(
                DataType.FLOAT32, 10e12, DataType.BFLOAT16, 100e12, DataType.FLOAT16, 120e12, DataType.INT8, 240e12)));

        assertThat(figures.unratedMatrixTypes()).containsExactly(DataType.FLOAT8_E4M3, DataType.INT4);
    }

    private static DeviceProfile device(Map<DataType, Double> matrixRates) {
        return new DeviceProfile(
                "ROUND",
                "nobody",
                new DeviceProfile.Compute(matrixRates, Map.of(DataType.FLOAT16, 8e12), 0.5),
                new DeviceProfile.Memory(64 * 0x1p30, 2 * 0x1p40, 0.75),
                new DeviceProfile.StaticCosts(5e-6, 2e-6, 7e-6),
                new Interconnect(
                        List.of(4, 8),
                        List.of(
                                new Interconnect.Link(40e9, 10e-6, 0.75, Interconnect.Topology.CLOS),
                                new Interconnect.Link(200e9, 1e-6, 0.5, Interconnect.Topology.FULL_MESH))),
                List.of());
    }
}
