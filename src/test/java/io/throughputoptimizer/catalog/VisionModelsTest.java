package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ImagePatching;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.VisionSpec;
import io.throughputoptimizer.fixture.Architectures;
import io.throughputoptimizer.fixture.BuiltIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Models with a vision tower against what is published with them.
class VisionModelsTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    /// Limits of the published preprocessor, which are also those of a model that names none.
    private static final VisionSpec TOWER = new VisionSpec(
            27, 1152, 4304, 16, 2304, new ImagePatching(3, 2, 16, 2, 65_536, 16_777_216), List.of(8, 16, 24));

    private static final String PUBLISHED_8B = """
            {
              "architectures": ["Qwen3VLForConditionalGeneration"],
              "image_token_id": 151655,
              "model_type": "qwen3_vl",
              "text_config": {
                "attention_bias": false,
                "attention_dropout": 0.0,
                "bos_token_id": 151643,
                "dtype": "bfloat16",
                "eos_token_id": 151645,
                "head_dim": 128,
                "hidden_act": "silu",
                "hidden_size": 4096,
                "initializer_range": 0.02,
                "intermediate_size": 12288,
                "max_position_embeddings": 262144,
                "model_type": "qwen3_vl_text",
                "num_attention_heads": 32,
                "num_hidden_layers": 36,
                "num_key_value_heads": 8,
                "rms_norm_eps": 1e-06,
                "rope_scaling": {"mrope_interleaved": true, "mrope_section": [24, 20, 20], "rope_type": "default"},
                "rope_theta": 5000000,
                "use_cache": true,
                "vocab_size": 151936
              },
              "tie_word_embeddings": false,
              "transformers_version": "4.57.0.dev0",
              "video_token_id": 151656,
              "vision_config": {
                "deepstack_visual_indexes": [8, 16, 24],
                "depth": 27,
                "hidden_act": "gelu_pytorch_tanh",
                "hidden_size": 1152,
                "in_channels": 3,
                "initializer_range": 0.02,
                "intermediate_size": 4304,
                "model_type": "qwen3_vl",
                "num_heads": 16,
                "num_position_embeddings": 2304,
                "out_hidden_size": 4096,
                "patch_size": 16,
                "spatial_merge_size": 2,
                "temporal_patch_size": 2
              },
              "vision_end_token_id": 151653,
              "vision_start_token_id": 151652
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void theDenseOneIsQwen3WithATower() {
        assertThat(model("Qwen/Qwen3-VL-8B-Instruct").readFrom(null))
                .isEqualTo(Architectures.of(
                        "Qwen/Qwen3-VL-8B-Instruct",
                        "qwen3_vl",
                        List.of(new LayerGroup(
                                36,
                                new GroupedQuery(32, 8, 128, HeadNorm.PER_HEAD, false, false),
                                new FeedForwardSpec.Dense(12288))),
                        4096,
                        151936,
                        262144,
                        1e-6,
                        false,
                        false,
                        TOWER));
    }

    @Test
    void theRoutedOneIsQwen3MoeWithATower() {
        assertThat(model("Qwen/Qwen3-VL-30B-A3B-Instruct").readFrom(null))
                .isEqualTo(Architectures.of(
                        "Qwen/Qwen3-VL-30B-A3B-Instruct",
                        "qwen3_vl_moe",
                        List.of(new LayerGroup(
                                48,
                                new GroupedQuery(32, 4, 128, HeadNorm.PER_HEAD, false, false),
                                new FeedForwardSpec.RoutedExperts(
                                        new FeedForwardSpec.Routing(128, 8, new Router.Softmax()), 768, 0))),
                        2048,
                        151936,
                        262144,
                        1e-6,
                        false,
                        false,
                        TOWER));
    }

    /// Totals of the published weights, whose output heads are tensors of their own.
    @ParameterizedTest
    @CsvSource({"Qwen/Qwen3-VL-8B-Instruct, 8767123696", "Qwen/Qwen3-VL-30B-A3B-Instruct, 31070754032"})
    void parametersAreAsManyAsThePublishedWeights(String id, long parameters) {
        assertThat(model(id).parameterCount()).isEqualTo(parameters);
    }

    @Test
    void theCompletePublishedConfigurationIsAccepted() throws IOException {
        ModelArchitecture published = read(PUBLISHED_8B);
        ModelArchitecture builtIn = model("Qwen/Qwen3-VL-8B-Instruct");

        assertThat(published.vision()).isEqualTo(builtIn.vision());
        assertThat(published)
                .usingRecursiveComparison()
                .ignoringFields("id", "document")
                .isEqualTo(builtIn);
    }

    @ParameterizedTest
    @CsvSource({
        "rope_theta, rope_tetha, /text_config/rope_tetha",
        "in_channels, inn_channels, /vision_config/inn_channels",
        "video_token_id, video_tokenid, /video_tokenid"
    })
    void aMisspelledKeyIsFoundInEverySection(String key, String misspelled, String pointer) {
        assertThatThrownBy(() -> read(PUBLISHED_8B.replace("\"" + key + "\"", "\"" + misspelled + "\"")))
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining(pointer + ": unknown key \"" + misspelled + "\"; nearest to it: " + key);
    }

    private ModelArchitecture read(String config) throws IOException {
        Files.writeString(folder.resolve("us--Own.json"), config);
        return CatalogReader.read(null, folder).models().find("us/Own").orElseThrow();
    }

    private static ModelArchitecture model(String id) {
        return CATALOGS.models().find(id).orElseThrow();
    }
}
