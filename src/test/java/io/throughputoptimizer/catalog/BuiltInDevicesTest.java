package io.throughputoptimizer.catalog;

import static io.throughputoptimizer.core.hardware.Interconnect.Topology.CLOS;
import static io.throughputoptimizer.core.hardware.Interconnect.Topology.FULL_MESH;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceFigures;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.hardware.Interconnect;
import io.throughputoptimizer.core.hardware.Interconnect.Link;
import io.throughputoptimizer.fixture.BuiltIn;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The built-in devices against the table of devices of the reference (commit 84fec85).
class BuiltInDevicesTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    private static final double T = 1e12;
    private static final double GB = 1e9;
    private static final double GIB = Math.pow(1024, 3);
    private static final double TIB = Math.pow(1024, 4);

    private static final Interconnect TEST = new Interconnect(
            List.of(256, 8), List.of(new Link(50 * GB, 10e-6, 0.7, CLOS), new Link(196 * GB, 1.3e-6, 0.7, FULL_MESH)));
    private static final Interconnect A2 = new Interconnect(
            List.of(128, 8), List.of(new Link(25 * GB, 1.5e-6, 0.7, CLOS), new Link(196 * GB, 0.5e-6, 0.7, FULL_MESH)));
    private static final Interconnect A2_PCIE =
            new Interconnect(List.of(8), List.of(new Link(64 * GB, 0.2e-6, 0.7, CLOS)));
    private static final Interconnect A3 = new Interconnect(
            List.of(48, 8, 2),
            List.of(
                    new Link(196 * GB, 5.5e-6, 0.7, CLOS),
                    new Link(196 * GB, 0.5e-6, 0.7, CLOS),
                    new Link(224 * GB, 0.2e-6, 0.7, CLOS)));
    private static final Interconnect A3_ROCE = new Interconnect(
            List.of(2, 8, 2),
            List.of(
                    new Link(196 * GB / 8, 5.5e-6, 0.7, CLOS),
                    new Link(196 * GB, 0.5e-6, 0.7, CLOS),
                    new Link(224 * GB, 0.2e-6, 0.7, CLOS)));
    private static final Interconnect A5 = new Interconnect(
            List.of(2, 2, 4),
            List.of(
                    new Link(24 * GB, 4.5e-6, 0.75 * 0.7, CLOS),
                    new Link(32 * GB, 3e-6, 0.8 * 0.7, CLOS),
                    new Link(3 * 53 * GB, 1.5e-6, 0.85, FULL_MESH)));

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void aBuiltInDeviceIsThatOfTheTable(String name, DeviceProfile expected) {
        assertThat(CATALOGS.devices().find(name)).contains(expected);
    }

    static Stream<Arguments> table() {
        return Stream.of(
                        device(
                                "TEST_DEVICE",
                                "TEST_VENDOR",
                                sixRates(99.5, 353.9, 353.9, 2 * 353.9, 2 * 353.9, 4 * 353.9),
                                generalRates(11 / 2.0, 11),
                                new Fixed(64, 1.6, 0.7, 0.6, 0),
                                TEST),
                        atlas800("A2_376T_64G", fourRates(99.5, 353.9, 376), 22, 64, 1.6, A2),
                        atlas800("A2_313T_64G", fourRates(83, 294.9, 313), 18, 64, 1.6, A2),
                        atlas800("A2_280T_64G", fourRates(75, 245.8, 280), 16, 64, 1.6, A2),
                        atlas800("A2_280T_64G_PCIE", fourRates(75, 245.8, 280), 16, 64, 1.6, A2_PCIE),
                        atlas800("A2_280T_32G_PCIE", fourRates(75, 245.8, 280), 16, 32, 0.8, A2_PCIE),
                        atlas800("A3_752T_128G_DIE", fourRates(99.5, 353.9, 376), 22, 64, 1.6, A3),
                        atlas800("A3_560T_128G_DIE", fourRates(75, 245.8, 280), 16, 64, 1.6, A3),
                        atlas800("A3_560T_128G_DIE_ROCE", fourRates(75, 245.8, 280), 16, 64, 1.6, A3_ROCE),
                        atlas350("ATLAS_350_425T_112G", 112),
                        atlas350("ATLAS_350_425T_84G", 84))
                .map(device -> Arguments.of(device.name(), device));
    }

    @Test
    void theTableHoldsAllDevicesOfTheReferenceInOrder() {
        assertThat(table().map(arguments -> arguments.get()[0]).toList()).isEqualTo(referenceNames());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("profileTable")
    void effectiveFiguresAreThoseOfTheProfileTableToTheLastBit(String name, JsonNode expected) {
        DeviceFigures figures = DeviceFigures.of(CATALOGS.devices().find(name).orElseThrow());

        assertThat(figures.matrixTflops()).hasValue(expected.get("cube_tflops").doubleValue());
        assertThat(figures.generalTflops())
                .hasValue(expected.get("vector_tflops").doubleValue());
        assertThat(figures.memoryTbPerSecond())
                .isEqualTo(expected.get("hbm_tb_s").doubleValue());
        assertThat(figures.memoryGb()).isEqualTo(expected.get("memory_gb").doubleValue());
        assertThat(figures.grid()).isEqualTo(integers(expected.get("grid_shape")));
        assertThat(figures.linkGbPerSecond()).isEqualTo(doubles(expected.get("comm_gb_s")));
    }

    static Stream<Arguments> profileTable() throws IOException {
        try (InputStream stream = Objects.requireNonNull(
                BuiltInDevicesTest.class.getResourceAsStream("/golden/optimizer-vectors.json"))) {
            return StrictMappers.JSON.readTree(stream).at("/common/device_profile_table/cases").values().stream()
                    .map(row -> Arguments.of(row.get("device").stringValue(), row));
        }
    }

    @Test
    void theProfileTableCoversAllDevicesOfTheReference() throws IOException {
        assertThat(profileTable().map(arguments -> arguments.get()[0]).toList())
                .containsExactlyElementsOf(referenceNames());
    }

    @Test
    void atlas800ListsNoRateForFp8AndFp4() {
        DeviceProfile device = CATALOGS.devices().find("ATLAS_800_A2_376T_64G").orElseThrow();

        assertThat(device.compute().effectiveMatrixRate(DataType.FLOAT8_E4M3)).isEmpty();
        assertThat(device.compute().effectiveMatrixRate(DataType.INT4)).isEmpty();
        assertThat(CATALOGS.deviceDocument(device.name()).orElseThrow().effective())
                .extracting(DeviceDocument.DeviceEffective::matrixTypesWithoutRate)
                .isEqualTo(List.of("fp8", "fp4"));
    }

    @ParameterizedTest
    @MethodSource("referenceNames")
    void everyDeviceOfTheReferenceSaysWhereItsFiguresComeFrom(String name) {
        assertThat(CATALOGS.deviceDocument(name).orElseThrow().source())
                .contains("84fec85")
                .contains("not calibrated");
    }

    /// What leaves the service is, number by number, what the file says.
    @ParameterizedTest
    @MethodSource("names")
    void aDocumentHoldsTheNumbersOfItsFile(String name) throws IOException {
        JsonNode written = StrictMappers.JSON.readTree(
                WireFormat.write(CATALOGS.deviceDocument(name).orElseThrow()));
        JsonNode file;
        try (InputStream stream = Objects.requireNonNull(
                BuiltInDevicesTest.class.getResourceAsStream("/catalog/devices/" + name + ".yaml"))) {
            file = StrictMappers.YAML.readTree(stream);
        }

        for (String member : List.of(
                "name",
                "vendor",
                "source",
                "compute",
                "memory",
                "static_costs_us",
                "interconnect",
                "calibration",
                "compared_with_silicon",
                "aliases")) {
            if (!file.has(member)) {
                assertThat(written.has(member)).as(member).isFalse();
                continue;
            }
            assertThat(written.get(member).equals(BuiltInDevicesTest::compareNumbers, file.get(member)))
                    .as(member)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void aDocumentThatWasHandedOutIsAcceptedAgain(String name) {
        String handedOut = StrictMappers.JSON.writeValueAsString(
                CATALOGS.deviceDocument(name).orElseThrow());

        assertThat(StrictMappers.JSON.readValue(handedOut, DeviceDocument.class).toProfile())
                .isEqualTo(CATALOGS.devices().find(name).orElseThrow());
    }

    static List<String> names() {
        return CATALOGS.devices().names();
    }

    /// Those that the reference knows.
    static List<String> referenceNames() {
        return names().stream()
                .filter(name -> !vendor(name).equals("NVIDIA")
                        && CATALOGS.devices().find(name).orElseThrow().caveats().isEmpty())
                .toList();
    }

    private static String vendor(String name) {
        return CATALOGS.devices().find(name).orElseThrow().vendor();
    }

    private static int compareNumbers(JsonNode one, JsonNode other) {
        if (one.isNumber() && other.isNumber()) {
            return Double.compare(one.doubleValue(), other.doubleValue());
        }
        return one.equals(other) ? 0 : 1;
    }

    private static List<Integer> integers(JsonNode list) {
        return list.values().stream().map(JsonNode::intValue).toList();
    }

    private static List<Double> doubles(JsonNode list) {
        return list.values().stream().map(JsonNode::doubleValue).toList();
    }

    /// Figures of a row besides its rates.
    private record Fixed(
            double memoryGib,
            double bandwidthTib,
            double computeEfficiency,
            double memoryEfficiency,
            double communicationMicros) {}

    private static DeviceProfile atlas800(
            String name,
            Map<DataType, Double> matrix,
            double generalHalf,
            double memoryGib,
            double bandwidthTib,
            Interconnect interconnect) {
        return device(
                "ATLAS_800_" + name,
                "HUAWEI",
                matrix,
                generalRates(generalHalf / 2, generalHalf),
                new Fixed(memoryGib, bandwidthTib, 0.7, 0.6, 10),
                interconnect);
    }

    private static DeviceProfile atlas350(String name, double memoryGib) {
        return device(
                name,
                "HUAWEI",
                sixRates(189, 378, 378, 756, 756, 1512),
                generalRates(24, 47),
                new Fixed(memoryGib, 1.4, 0.9, 0.8, 5),
                A5);
    }

    private static DeviceProfile device(
            String name,
            String vendor,
            Map<DataType, Double> matrix,
            Map<DataType, Double> general,
            Fixed fixed,
            Interconnect interconnect) {
        return new DeviceProfile(
                name,
                vendor,
                new DeviceProfile.Compute(matrix, general, fixed.computeEfficiency),
                new DeviceProfile.Memory(fixed.memoryGib * GIB, fixed.bandwidthTib * TIB, fixed.memoryEfficiency),
                new DeviceProfile.StaticCosts(5 / 1e6, 2 / 1e6, fixed.communicationMicros / 1e6),
                interconnect,
                List.of());
    }

    private static Map<DataType, Double> fourRates(double fp32, double bf16, double fp16) {
        return Map.of(
                DataType.FLOAT32, fp32 * T,
                DataType.BFLOAT16, bf16 * T,
                DataType.FLOAT16, fp16 * T,
                DataType.INT8, 2 * fp16 * T);
    }

    private static Map<DataType, Double> sixRates(
            double fp32, double bf16, double fp16, double int8, double fp8, double fp4) {
        return Map.of(
                DataType.FLOAT32, fp32 * T,
                DataType.BFLOAT16, bf16 * T,
                DataType.FLOAT16, fp16 * T,
                DataType.INT8, int8 * T,
                DataType.FLOAT8_E4M3, fp8 * T,
                DataType.INT4, fp4 * T);
    }

    private static Map<DataType, Double> generalRates(double fp32, double half) {
        return Map.of(DataType.FLOAT32, fp32 * T, DataType.BFLOAT16, half * T, DataType.FLOAT16, half * T);
    }
}
