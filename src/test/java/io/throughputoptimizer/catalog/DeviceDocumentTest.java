package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class DeviceDocumentTest {
    private static final String DOCUMENT = """
            {
              "name": "MY_DEVICE",
              "vendor": "us",
              "compute": {
                "matrix_tflops": {"fp32": 50.1, "bf16": 200.3, "fp16": 200.3, "int8": 400.7},
                "general_tflops": {"fp32": 3.3, "bf16": 6.7, "fp16": 6.7},
                "efficiency": 0.65
              },
              "memory": {"capacity_gb": 48.5, "bandwidth_tb_per_s": 1.15, "efficiency": 0.55},
              "static_costs_us": {"matrix": 4.7, "general": 1.9, "communication": 0},
              "interconnect": {
                "grid": [4, 8],
                "links": [
                  {"bandwidth_gb_per_s": 24.7, "latency_us": 3.1, "efficiency": 0.61, "topology": "CLOS"},
                  {"bandwidth_gb_per_s": 150.9, "latency_us": 0.7, "efficiency": 0.83, "topology": "FULL_MESH"}
                ]
              }
            }
            """;

    @Test
    void unitsOfTheDocumentBecomeSiUnits() {
        DeviceProfile profile = read(DOCUMENT).toProfile();

        assertThat(profile.compute().matrixOperationsPerSecond())
                .containsEntry(DataType.BFLOAT16, 200.3e12)
                .containsEntry(DataType.INT8, 400.7e12)
                .doesNotContainKeys(DataType.FLOAT8_E4M3, DataType.INT4);
        assertThat(profile.compute().generalOperationsPerSecond()).containsEntry(DataType.FLOAT32, 3.3e12);
        assertThat(profile.memory().capacityBytes()).isEqualTo(48.5 * Math.pow(1024, 3));
        assertThat(profile.memory().bytesPerSecond()).isEqualTo(1.15 * Math.pow(1024, 4));
        assertThat(profile.staticCosts().matrixSeconds()).isEqualTo(4.7e-6);
        assertThat(profile.interconnect().links().getFirst().bytesPerSecond()).isEqualTo(24.7e9);
        assertThat(profile.interconnect().links().getFirst().latencySeconds()).isEqualTo(3.1e-6);
    }

    @Test
    void aProfileGivesItsNumbersBackExactly() {
        DeviceDocument document = read(DOCUMENT);
        DeviceDocument again = DeviceDocument.from(document.toProfile(), document);

        assertThat(again).usingRecursiveComparison().ignoringFields("effective").isEqualTo(document);
    }

    @Test
    void effectiveFiguresMayComeAlongIfTheyAreRight() {
        DeviceDocument full = DeviceDocument.from(read(DOCUMENT).toProfile(), read(DOCUMENT));

        assertThat(full.toProfile()).isEqualTo(read(DOCUMENT).toProfile());
    }

    @Test
    void effectiveFiguresThatContradictThePeaksAreRefused() {
        ObjectNode document = tree(StrictMappers.JSON.writeValueAsString(
                DeviceDocument.from(read(DOCUMENT).toProfile(), read(DOCUMENT))));
        ((ObjectNode) document.at("/compute/matrix_tflops")).put("bf16", 300);

        assertDefect(
                document,
                "/effective",
                "effective contradicts the peaks and efficiencies, from which it follows: it may be left out");
    }

    @ParameterizedTest
    @CsvSource({
        "/name, '1 to 100 letters, digits, ''_'', ''.'' or ''-'''",
        "/vendor, a string",
        "/compute, an object",
        "/compute/efficiency, a number from 0.000001 to 1",
        "/compute/matrix_tflops, an object",
        "/compute/matrix_tflops/fp32, a number from 0.000001 to 1000000000",
        "/compute/matrix_tflops/bf16, a number from 0.000001 to 1000000000",
        "/compute/matrix_tflops/fp16, a number from 0.000001 to 1000000000",
        "/compute/general_tflops, an object",
        "/compute/general_tflops/fp32, a number from 0.000001 to 1000000000",
        "/compute/general_tflops/bf16, a number from 0.000001 to 1000000000",
        "/compute/general_tflops/fp16, a number from 0.000001 to 1000000000",
        "/memory, an object",
        "/memory/capacity_gb, a number from 0.000001 to 1000000000",
        "/memory/bandwidth_tb_per_s, a number from 0.000001 to 1000000000",
        "/memory/efficiency, a number from 0.000001 to 1",
        "/static_costs_us, an object",
        "/static_costs_us/matrix, a number from 0 to 1000000000",
        "/static_costs_us/general, a number from 0 to 1000000000",
        "/static_costs_us/communication, a number from 0 to 1000000000",
        "/interconnect, an object",
        "/interconnect/grid, a list",
        "/interconnect/links, a list",
        "/interconnect/links/1/bandwidth_gb_per_s, a number from 0.000001 to 1000000000",
        "/interconnect/links/0/latency_us, a number from 0 to 1000000000",
        "/interconnect/links/0/efficiency, a number from 0.000001 to 1",
        "/interconnect/links/1/topology, CLOS or FULL_MESH"
    })
    void aMissingMemberIsNamedWithItsRule(String pointer, String rule) {
        ObjectNode document = tree(DOCUMENT);
        String key = lastOf(pointer);
        ((ObjectNode) document.at(parentOf(pointer))).remove(key);

        assertDefect(document, pointer, key + " is required and must be " + rule);
    }

    @ParameterizedTest
    @CsvSource({
        "/compute/efficiency, 1.01, a number from 0.000001 to 1",
        "/memory/efficiency, 0, a number from 0.000001 to 1",
        "/compute/matrix_tflops/int8, -1, a number from 0.000001 to 1000000000",
        "/compute/matrix_tflops/fp8, 0, a number from 0.000001 to 1000000000",
        "/compute/matrix_tflops/fp4, 1e300, a number from 0.000001 to 1000000000",
        "/memory/capacity_gb, NaN, a number from 0.000001 to 1000000000",
        "/memory/bandwidth_tb_per_s, Infinity, a number from 0.000001 to 1000000000",
        "/static_costs_us/matrix, -0.1, a number from 0 to 1000000000",
        "/interconnect/links/0/latency_us, -5, a number from 0 to 1000000000"
    })
    void aNumberOutOfRangeIsRefusedWithItsRule(String pointer, double value, String rule) {
        ObjectNode document = tree(DOCUMENT);
        ((ObjectNode) document.at(parentOf(pointer))).put(lastOf(pointer), value);

        assertDefect(document, pointer, lastOf(pointer) + " must be " + rule + ", got " + value);
    }

    @Test
    void aNameMustFitIntoAnAddress() {
        ObjectNode document = tree(DOCUMENT).put("name", "my/device");

        assertDefect(document, "/name", "name must be 1 to 100 letters, digits, '_', '.' or '-', got my/device");
    }

    @Test
    void aGridDimensionOfOneIsRefused() {
        assertDefect(withGrid(4, 1), "/interconnect/grid/1", "grid[1] must be a whole number of at least 2, got 1");
    }

    @Test
    void aGridWithoutDimensionsIsRefused() {
        assertDefect(
                withGrid(),
                "/interconnect/grid",
                "grid must be at least one dimension and at most 1000000000 devices, got []");
    }

    @Test
    void aGridThatCannotBeCountedIsRefused() {
        assertDefect(
                withGrid(2_000_000_000, 2_000_000_000),
                "/interconnect/grid",
                "grid must be at least one dimension and at most 1000000000 devices, got [2000000000, 2000000000]");
    }

    @Test
    void everyGridDimensionNeedsItsLinks() {
        assertDefect(
                withGrid(2, 2, 2),
                "/interconnect/links",
                "links must be one link for each of the 3 grid dimensions, got 2 links");
    }

    @Test
    void allDefectsAreReportedAtOnceInTheOrderOfTheDocument() {
        ObjectNode document = tree(DOCUMENT);
        document.remove("name");
        ((ObjectNode) document.at("/compute/general_tflops")).remove("fp16");
        document.remove("memory");
        ((ArrayNode) document.at("/interconnect/links")).removeAll();

        assertThat(defects(document))
                .extracting(Defect::pointer)
                .containsExactly("/name", "/compute/general_tflops/fp16", "/memory", "/interconnect/links");
    }

    private static ObjectNode withGrid(int... sizes) {
        ObjectNode document = tree(DOCUMENT);
        ArrayNode grid = ((ArrayNode) document.at("/interconnect/grid")).removeAll();
        for (int size : sizes) {
            grid.add(size);
        }
        return document;
    }

    private static void assertDefect(ObjectNode document, String pointer, String message) {
        assertThat(defects(document)).containsExactly(new Defect(pointer, message));
    }

    private static List<Defect> defects(ObjectNode document) {
        DeviceDocument read = StrictMappers.JSON.treeToValue(document, DeviceDocument.class);
        return catchThrowableOfType(InvalidDocumentException.class, read::toProfile)
                .defects();
    }

    private static DeviceDocument read(String json) {
        return StrictMappers.JSON.readValue(json, DeviceDocument.class);
    }

    private static ObjectNode tree(String json) {
        return (ObjectNode) StrictMappers.JSON.readTree(json);
    }

    private static String parentOf(String pointer) {
        return pointer.substring(0, pointer.lastIndexOf('/'));
    }

    private static String lastOf(String pointer) {
        return pointer.substring(pointer.lastIndexOf('/') + 1);
    }
}
