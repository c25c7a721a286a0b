package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogReaderTest {
    private static final String DEVICE = """
            name: MY_DEVICE
            vendor: us
            source: measured in our cellar
            compute:
              matrix_tflops: {fp32: 50, bf16: 200, fp16: 200}
              general_tflops: {fp32: 3, bf16: 6, fp16: 6}
              efficiency: 0.65
            memory: {capacity_gb: 48, bandwidth_tb_per_s: 1.2, efficiency: 0.5}
            static_costs_us: {matrix: 5, general: 2, communication: 7}
            interconnect:
              grid: [8]
              links:
                - {bandwidth_gb_per_s: 25, latency_us: 3, efficiency: 0.6, topology: CLOS}
            """;

    private static final String MODEL = """
            {
              "model_type": "llama",
              "hidden_size": 4096,
              "intermediate_size": 11008,
              "num_hidden_layers": 32,
              "num_attention_heads": 32,
              "vocab_size": 32000,
              "max_position_embeddings": 4096,
              "rms_norm_eps": 1e-05
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void aUsersDevicesAndModelsFollowTheBuiltInOnesByFileName() throws IOException {
        Path devices = Files.createDirectory(folder.resolve("devices"));
        Path models = Files.createDirectory(folder.resolve("models"));
        Files.writeString(devices.resolve("b.yml"), DEVICE.replace("MY_DEVICE", "FIRST_BY_NAME"));
        Files.writeString(devices.resolve("a.yaml"), DEVICE);
        Files.writeString(models.resolve("us--Tiny-1.5.json"), MODEL);
        Catalogs builtIn = CatalogReader.read(null, null);

        Catalogs catalogs = CatalogReader.read(devices, models);

        assertThat(catalogs.devices().names())
                .startsWith(builtIn.devices().names().toArray(String[]::new))
                .endsWith("MY_DEVICE", "FIRST_BY_NAME")
                .hasSize(builtIn.devices().names().size() + 2);
        assertThat(catalogs.models().ids())
                .startsWith(builtIn.models().ids().toArray(String[]::new))
                .endsWith("us/Tiny-1.5")
                .hasSize(builtIn.models().ids().size() + 1);
        assertThat(catalogs.deviceDocument("MY_DEVICE").orElseThrow().source()).isEqualTo("measured in our cellar");
    }

    @Test
    void aUsersLengthDistributionsFollowTheBuiltInOne() throws IOException {
        Files.writeString(
                folder.resolve("chat.json"), "{\"bins\": [{\"min_tokens\": 1, \"max_tokens\": 9, \"weight\": 2.5}]}");
        Files.writeString(folder.resolve("batch.yaml"), "bins:\n  - {min_tokens: 5, max_tokens: 6, weight: 1}\n");

        Catalogs catalogs = CatalogReader.read(null, null, folder, ModelSource.NONE);

        assertThat(catalogs.lengthDistributions().keySet()).containsExactly("builtin", "batch", "chat");
        assertThat(catalogs.lengthDistributions().get("chat"))
                .isEqualTo(new LengthDistribution(List.of(new LengthBin(1, 9, 2.5))));
    }

    @Test
    void aBrokenLengthDistributionStopsTheReading() throws IOException {
        Path file = Files.writeString(
                folder.resolve("chat.yaml"), "bins:\n  - {min_tokens: 5, max_tokens: 5, weight: 1}\n");

        assertThatThrownBy(() -> CatalogReader.read(null, null, folder, ModelSource.NONE))
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("max_tokens must be greater than min_tokens (5), got 5");
    }

    @Test
    void aModelsFileMayNameItsContext() throws IOException {
        Files.writeString(folder.resolve("us--Tiny-1.5.json"), MODEL.replaceFirst("\\{", "{\"max_model_len\": 777, "));

        assertThat(CatalogReader.read(null, folder)
                        .models()
                        .find("us/Tiny-1.5")
                        .orElseThrow()
                        .contextTokens())
                .isEqualTo(777);
    }

    @Test
    void anEmptyFolderAddsNothing() {
        assertThat(CatalogReader.read(folder, folder).devices().names())
                .isEqualTo(CatalogReader.read(null, null).devices().names());
    }

    @Test
    void hiddenFilesArePassedOver() throws IOException {
        Files.writeString(folder.resolve(".gitkeep"), "");
        Files.createDirectory(folder.resolve("..data"));

        assertThat(CatalogReader.read(folder, null).devices().names()).doesNotContain("MY_DEVICE");
    }

    @Test
    void anAliasIsANameLikeAnyOther() throws IOException {
        Path file = Files.writeString(
                folder.resolve("mine.yaml"),
                DEVICE + "aliases: [{name: MINE, means: ours}, {name: 910C, means: no}]\n");

        assertThatThrownBy(() -> CatalogReader.read(folder, null))
                .isInstanceOf(CatalogException.class)
                .hasMessage(file + ": 910C is already another name: names are unique");

        Files.writeString(file, DEVICE + "aliases: [{name: MINE, means: ours}]\n");
        assertThat(CatalogReader.read(folder, null).devices().find("MINE"))
                .hasValueSatisfying(
                        device -> assertThat(device.caveats()).containsExactly("MINE stands for MY_DEVICE: ours"));
    }

    @Test
    void aFolderThatIsMissingFails() {
        Path missing = folder.resolve("missing");

        assertThatThrownBy(() -> CatalogReader.read(missing, null))
                .isInstanceOf(CatalogException.class)
                .hasMessage(missing + ": must be a folder of devices");
    }

    @Nested
    class DeviceFiles {

        @ParameterizedTest
        @MethodSource("io.throughputoptimizer.catalog.CatalogReaderTest#badDevices")
        void aBadFileStopsWithFileKeyAndRule(String broken, String message) throws IOException {
            Path file = Files.writeString(folder.resolve("mine.yaml"), broken);

            assertThatThrownBy(() -> CatalogReader.read(folder, null))
                    .isInstanceOf(CatalogException.class)
                    .hasMessage(file + ": " + message);
        }

        @Test
        void aNameThatIsTakenStopsWithBothFiles() throws IOException {
            Path file = Files.writeString(folder.resolve("mine.yaml"), DEVICE.replace("MY_DEVICE", "TEST_DEVICE"));

            assertThatThrownBy(() -> CatalogReader.read(folder, null))
                    .isInstanceOf(CatalogException.class)
                    .hasMessage(
                            file
                                    + ": TEST_DEVICE is already described in catalog/devices/TEST_DEVICE.yaml: names are unique");
        }

        @Test
        void aFileOfAnotherKindStops() throws IOException {
            Path file = Files.writeString(folder.resolve("mine.json"), "{}");

            assertThatThrownBy(() -> CatalogReader.read(folder, null))
                    .isInstanceOf(CatalogException.class)
                    .hasMessage(file + ": must be a file of devices, with a name that ends in .yaml or .yml");
        }

        @Test
        void aFolderThatLooksLikeAFileStops() throws IOException {
            Path directory = Files.createDirectory(folder.resolve("mine.yaml"));

            assertThatThrownBy(() -> CatalogReader.read(folder, null))
                    .isInstanceOf(CatalogException.class)
                    .hasMessageStartingWith(directory + ": cannot be read: ");
        }

        @Test
        void aFileThatIsNotTextStops() throws IOException {
            Path file = Files.write(folder.resolve("mine.yaml"), "vendor: Köln".getBytes(StandardCharsets.ISO_8859_1));

            assertThatThrownBy(() -> CatalogReader.read(folder, null))
                    .isInstanceOf(CatalogException.class)
                    .hasMessage(file + ": must be UTF-8 text");
        }
    }

    static Stream<Arguments> badDevices() {
        return Stream.of(
                bad(
                        "vendor: us",
                        "vendor: us\ncolour: red",
                        "at /colour: unknown key \"colour\"; allowed: name, vendor, source, compute, memory, static_costs_us, interconnect, effective, calibration, compared_with_silicon, aliases"),
                bad(
                        "capacity_gb: 48",
                        "capacity_gb: 48, kind: HBM",
                        "at /memory/kind: unknown key \"kind\"; allowed: capacity_gb, bandwidth_tb_per_s, efficiency"),
                bad(
                        "bf16: 200, ",
                        "",
                        "at /compute/matrix_tflops/bf16: bf16 is required and must be a number from 0.000001 to 1000000000"),
                bad("fp16: 6}", "fp16: six}", "at /compute/general_tflops/fp16: must be a number (line 6, column 44)"),
                bad(
                        "fp16: 6}",
                        "fp16: \"6\"}",
                        "at /compute/general_tflops/fp16: must be a number (line 6, column 44)"),
                bad(
                        "grid: [8]",
                        "grid: [1]",
                        "at /interconnect/grid/0: grid[0] must be a whole number of at least 2, got 1"),
                bad("grid: [8]", "grid: [8.5]", "at /interconnect/grid/0: must be a whole number, got \"8.5\""),
                bad("grid: [8]", "grid: 8", "at /interconnect/grid: must be a list (line 11, column 9)"),
                bad("grid: [8]", "grid: [null]", "at /interconnect/grid/0: must not contain null"),
                bad(
                        "grid: [8]",
                        "grid: [99999999999]",
                        "at /interconnect/grid/0: cannot be parsed (line 11, column 21): Numeric value (99999999999) out of range of `int` (-2147483648 - 2147483647)"),
                bad(
                        "topology: CLOS",
                        "topology: RING",
                        "at /interconnect/links/0/topology: must be one of CLOS, FULL_MESH, got \"RING\""),
                bad(
                        "topology: CLOS",
                        "topology: 0",
                        "at /interconnect/links/0/topology: must be one of CLOS, FULL_MESH, got \"0\""),
                bad("memory: {", "memory: 64 # {", "at /memory: must be an object (line 8, column 9)"),
                bad(
                        "vendor: us",
                        "vendor: us\nvendor: them",
                        "cannot be parsed (line 3, column 7): Duplicate Object property \"vendor\""),
                bad("vendor: us", "vendor: [us]", "at /vendor: must be a string (line 2, column 9)"),
                bad(
                        "vendor: us",
                        "vendor: \"us",
                        "cannot be parsed (line 2, column 7): while scanning a quoted scalar"),
                bad(
                        "capacity_gb: 48",
                        "capacity_gb: .inf",
                        "at /memory/capacity_gb: cannot be parsed (line 8, column 27): Malformed numeric value '.inf: (java.lang.NumberFormatException) illegal syntax"),
                bad(
                        "capacity_gb: 48",
                        "capacity_gb: .nan",
                        "at /memory/capacity_gb: cannot be parsed (line 8, column 27): Malformed numeric value '.nan: (java.lang.NumberFormatException) illegal syntax"),
                Arguments.of("", "must be an object (line 1, column 1)"),
                Arguments.of("null", "must be an object, got nothing"),
                Arguments.of("[]", "must be an object (line 1, column 1)"),
                Arguments.of(
                        DEVICE + "---\nname: SECOND\n",
                        "must be one document; remove the text after its end (line 15, column 1)"));
    }

    private static Arguments bad(String good, String bad, String message) {
        assertThat(DEVICE).contains(good);
        return Arguments.of(DEVICE.replace(good, bad), message);
    }

    @Nested
    class ModelFiles {

        @ParameterizedTest
        @MethodSource("io.throughputoptimizer.catalog.CatalogReaderTest#badModels")
        void aBadFileStopsWithFileKeyAndRule(String broken, String message) throws IOException {
            Path file = Files.writeString(folder.resolve("us--Tiny.json"), broken);

            assertThatThrownBy(() -> CatalogReader.read(null, folder))
                    .isInstanceOf(CatalogException.class)
                    .hasMessage(file + ": " + message);
        }

        @ParameterizedTest
        @ValueSource(strings = {"Tiny", "us-Tiny", "us--Tiny--2", "--Tiny", "us--", "us--Ti ny"})
        void aFileMustBeNamedAfterItsModel(String name) throws IOException {
            Path file = Files.writeString(folder.resolve(name + ".json"), MODEL);

            assertThatThrownBy(() -> CatalogReader.read(null, folder))
                    .isInstanceOf(CatalogException.class)
                    .hasMessage(
                            file + ": the file name must be Owner--Name.json, which stands for the model Owner/Name");
        }

        @Test
        void aNameThatIsTakenStopsWithBothFiles() throws IOException {
            Path file = Files.writeString(folder.resolve("Qwen--Qwen3-8B.json"), MODEL);

            assertThatThrownBy(() -> CatalogReader.read(null, folder))
                    .isInstanceOf(CatalogException.class)
                    .hasMessage(
                            file
                                    + ": Qwen/Qwen3-8B is already described in catalog/models/Qwen--Qwen3-8B.json: names are unique");
        }

        @ParameterizedTest
        @MethodSource("io.throughputoptimizer.catalog.PublishedConfigs#supported")
        void aConfigurationMayBeCopiedInAsItWasPublished(String config, ModelArchitecture expected) throws IOException {
            Files.writeString(folder.resolve("us--Copied.json"), config);

            assertThat(CatalogReader.read(null, folder)
                            .models()
                            .find("us/Copied")
                            .map(model -> model.withStored(null).readFrom(null)))
                    .contains(PublishedConfigs.renamed(expected, "us/Copied"));
        }
    }

    static Stream<Arguments> badModels() {
        return Stream.of(
                badModel(
                        "\"vocab_size\"",
                        "\"vocabsize\"",
                        "at /vocabsize: unknown key \"vocabsize\"; nearest to it: vocab_size, hidden_size, mlp_bias"),
                badModel(
                        "\"llama\"",
                        "\"mamba\"",
                        "at /model_type: model_type is \"mamba\": supported are bailing_moe, deepseek_ref, deepseek_v3, deepseek_v32, deepseek_v4, ernie4_5, ernie4_5_moe, exaone4,"
                                + " gemma2, gemma3, gemma3_text, gemma4, gemma4_text, glm4, glm4_moe, glm4v_moe, glm_moe_dsa, gpt_oss, kimi_k2, kimi_k25, kimi_k3, kimi_linear, lfm2, lfm2_moe, llama, llama4, llama4_text, mimo, mimo_v2_flash, minimax_m2, minimax_m3, minimax_m3_vl, ministral, mistral, mixtral, nemotron-nas, nemotron_h, olmo3, phi3,"
                                + " qwen2, qwen3, qwen3_5, qwen3_5_moe, qwen3_5_moe_text, qwen3_5_text, qwen3_moe, qwen3_next,"
                                + " qwen3_vl, qwen3_vl_moe, qwen3_vl_moe_text, qwen3_vl_text, seed_oss"),
                badModel(
                        "4096,",
                        "4096.5,",
                        "at /hidden_size: hidden_size must be a whole number from 1 to 1000000, got 4096.5"),
                badModel(
                        "4096,",
                        "4096, \"mlp_bias\": true,",
                        "at /mlp_bias: mlp_bias is true: biases in the feed-forward part are not priced"),
                badModel(
                        "4096,",
                        "4096, \"hidden_size\": 8192,",
                        "cannot be parsed (line 3, column 37): Duplicate Object property \"hidden_size\""),
                badModel(
                        "}",
                        "",
                        "cannot be parsed (line 11, column 1): Unexpected end-of-input: expected close marker for Object"),
                badModel("}", "} {}", "must be one document; remove the text after its end (line 10, column 3)"),
                Arguments.of("", "must be an object (line 1, column 0)"),
                Arguments.of("null", "must be an object, got nothing"),
                Arguments.of("[1]", "must be an object (line 1, column 1)"));
    }

    private static Arguments badModel(String good, String bad, String message) {
        assertThat(MODEL).contains(good);
        return Arguments.of(MODEL.replaceFirst(Pattern.quote(good), bad), message);
    }
}
