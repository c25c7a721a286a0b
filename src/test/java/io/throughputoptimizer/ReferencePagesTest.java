package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.problem.ProblemKind;
import io.throughputoptimizer.api.result.catalog.ModelPricing;
import io.throughputoptimizer.api.result.catalog.ModelResponse;
import io.throughputoptimizer.api.result.catalog.ModelResponse.PricingResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.fixture.BuiltIn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Pages of `docs/reference` that are generated from code. `-Ddocs.write=true` writes them, otherwise they must be
/// up to date.
class ReferencePagesTest {
    private static final Path FOLDER = Path.of("docs", "reference");
    private static final Path DESCRIPTION = Path.of("openapi", "openapi.yaml");
    private static final String SETTINGS = "/META-INF/spring-configuration-metadata.json";
    private static final boolean WRITES = Boolean.getBoolean("docs.write");
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    private static final double BILLION = 1e9;
    private static final double TERA = 1e12;
    private static final double GIBI = 1 << 30;

    @Test
    void fields() throws IOException {
        assertPage("fields.md", """
                # Fields

                Fields of requests, and the main fields of responses. The
                [API description](../../openapi/openapi.yaml) has every field with its full description.

                `required` marks fields without which the service rejects the request. Objects link to their
                tables. A field with the same meaning in several tables is described in the first. Maxima of
                a million or more are left out. [API conventions](api-conventions.md) apply to all operations.

                """ + new FieldTables(YAMLMapper.shared().readTree(DESCRIPTION.toFile())).text());
    }

    @Test
    void problemTypes() throws IOException {
        assertPage(
                "problem-types.md",
                """
                # Problem types

                Types of errors ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)): status, cause and fix. `type` of
                a problem ends with the name below. It is `about:blank` where the status explains the problem.

                """
                        + table(
                                List.of("Type", "Status", "Cause", "Fix"),
                                Arrays.stream(ProblemKind.values())
                                        .map(type -> List.of(
                                                code(type.word()),
                                                String.valueOf(type.status()),
                                                type.when(),
                                                type.fix()))));
    }

    @Test
    void settings() throws IOException {
        JsonNode metadata;
        try (InputStream file = Objects.requireNonNull(getClass().getResourceAsStream(SETTINGS))) {
            metadata = JsonMapper.shared().readTree(file);
        }
        assertPage(
                "settings.md",
                """
                # Settings

                Pass a setting on the command line (`--optimizer.jobs.workers=4`), as an environment variable
                (`OPTIMIZER_JOBS_WORKERS=4`) or in an `application.yaml` next to the jar.

                An unknown name below `optimizer.` or an invalid value stops the start with exit code 1. Spring
                ignores unknown names below `server.`, `spring.` and `management.`.

                Times have a unit: `ms`, `s`, `m`, `h` or `d`; without one they are milliseconds. Sizes have `B`, `KB`,
                `MB` or `GB`.

                """
                        + table(
                                List.of("Setting", "Default", "Meaning"),
                                metadata.path("properties")
                                        .valueStream()
                                        .filter(setting -> setting.path("name")
                                                .asString("")
                                                .startsWith("optimizer."))
                                        .map(setting -> List.of(
                                                code(setting.path("name").asString("")),
                                                setting.path("defaultValue").asString("none"),
                                                capitalized(setting.path("description")
                                                        .asString("")))))
                        + """

                ## Settings of Spring

                | Setting | Default | Meaning |
                |---|---|---|
                | `server.address`, `server.port` | 127.0.0.1, 8080 | Address of the service; `0.0.0.0` accepts other machines and requires keys |
                | `server.tomcat.max-connections`, `accept-count` | 1024, 100 | Maximum open connections, and further ones waiting |
                | `server.tomcat.connection-timeout`, `keep-alive-timeout` | 10s, 30s | Maximum silence of a client within a request, and between requests |
                | `spring.datasource.url`, `username`, `password` | embedded H2 | Database; PostgreSQL for [replicas](../how-to/run-replicas.md) |
                | `spring.datasource.hikari.connection-timeout` | 5000 | Milliseconds that a request waits for a database connection before it gets 503 |
                | `spring.datasource.hikari.maximum-pool-size` | 10 | Maximum database connections of a process |
                """);
    }

    @Test
    void models() throws IOException {
        ModelPricing pricing = new ModelPricing(
                CATALOGS.calibrations().values(), CATALOGS.engines().values());
        Map<List<String>, List<String>> groups = CATALOGS.models().all().stream()
                .map(model -> ModelResponse.from(model, pricing))
                .collect(Collectors.groupingBy(
                        model -> List.of(
                                code(model.modelType()),
                                String.valueOf(model.maxModelLen()),
                                support(model.pricing().getFirst()),
                                support(model.pricing().getLast())),
                        LinkedHashMap::new,
                        Collectors.mapping(
                                model -> code(model.id()) + " " + number(model.parameters() / BILLION),
                                Collectors.toList())));
        assertPage(
                "models.md",
                """
                # Models

                Models of the catalog by family (`model_type`), with the support of both cost models. Other checkpoints
                of these families work from their [configuration](../how-to/add-a-model.md).

                The number after a model is its parameters in billions, with embeddings. The context is the maximum of
                input and output tokens. Words after `yes` are restrictions:

                - `context`: accounting `documented` ignores tokens that were processed before.
                - `family`: no server with such attention was measured, so intervals are wider.
                - `images`: the model is priced for text only.
                - `steady`: requires accounting `steady`.
                - `windows`: accounting `documented` ignores sliding windows.

                """
                        + table(
                                List.of("Family", "Context", "`analytic`", "`calibrated`", "Models"),
                                groups.entrySet().stream()
                                        .sorted(Map.Entry.comparingByKey(Comparator.comparing(List::getFirst)))
                                        .map(group -> Stream.concat(
                                                        group.getKey().stream(),
                                                        Stream.of(String.join(", ", group.getValue())))
                                                .toList())));
    }

    private static String support(PricingResponse pricing) {
        return switch (pricing.outcome()) {
            case PRICED -> "yes";
            case FLAGGED ->
                Objects.requireNonNull(pricing.flags()).stream()
                        .map(ReferencePagesTest::code)
                        .collect(Collectors.joining(", ", "yes, ", ""));
            case REFUSED -> "no";
        };
    }

    @Test
    void devices() throws IOException {
        assertPage(
                "devices.md",
                """
                # Devices

                Devices of the catalog. `GET /api/v1/devices/{name}` returns a profile with its sources,
                [add a device](../how-to/add-a-device.md) adds one.

                Peaks are dense, in TFLOPS. *Kernels*: the device has measured kernels, so the calibrated model
                supports it. *Servers*: it was compared with measured servers, so `cost_model: auto` selects it;
                *disaggregated* ones count in mode `pd_ratio`. [Validation](../explanation/validation.md) has the errors.
                The [support matrix](support-matrix.md#devices-and-engines) lists engines.

                Chip names work as well: `910B2`, `910B3`, `910B4`, and `910C` for one of its two dies.

                """
                        + table(
                                List.of("Device", "Memory (GiB)", "Bandwidth (TB/s)", "16 bits", "8 bits", "Measured"),
                                CATALOGS.devices().all().stream()
                                        .map(device -> List.of(
                                                code(device.name()),
                                                number(device.memory().capacityBytes() / GIBI),
                                                number(device.memory().bytesPerSecond() / TERA),
                                                peak(device, DataType.BFLOAT16),
                                                peak(device, DataType.FLOAT8_E4M3, DataType.INT8),
                                                measured(device.name())))));
    }

    private static String peak(DeviceProfile device, DataType... types) {
        return Stream.of(types)
                .map(type -> device.compute().matrixOperationsPerSecond().get(type.rateType()))
                .filter(Objects::nonNull)
                .max(Double::compare)
                .map(rate -> number(rate / TERA))
                .orElse("none");
    }

    private static String measured(String device) {
        return CATALOGS.calibrationOf(device)
                .map(calibration -> calibration.isCompared(false)
                        ? "kernels, servers"
                        : calibration.isCompared(true) ? "kernels, disaggregated servers" : "kernels")
                .orElse("no");
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    static String code(String text) {
        return "`" + text + "`";
    }

    static String capitalized(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    static String table(List<String> heads, Stream<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        lines.add(row(heads));
        lines.add("|---".repeat(heads.size()) + "|");
        rows.map(ReferencePagesTest::row).forEach(lines::add);
        return String.join("\n", lines) + "\n";
    }

    private static String row(List<String> cells) {
        return cells.stream()
                .map(cell -> cell.replace("|", "\\|"))
                .collect(Collectors.joining(" | ", "| ", " |"))
                .replace("|  |", "| |");
    }

    private static void assertPage(String name, String text) throws IOException {
        Path page = FOLDER.resolve(name);
        if (WRITES) {
            Files.writeString(page, text);
        }
        assertThat(page)
                .as("after an intended change: run this test with -Ddocs.write=true")
                .hasContent(text);
    }
}
