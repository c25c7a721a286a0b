package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.ModelCatalog;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.family.ModelFamily;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.Relayered;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// Configurations of which `num_hidden_layers` alone is changed, as the reference does: lists with an entry for each
/// layer stay longer.
class ShortenedModelsTest {
    private static final ModelCatalog MODELS = BuiltIn.CATALOGS.models();
    private static final String LAYERS = "num_hidden_layers";

    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3.5-27B, 4",
        "Qwen/Qwen3.5-35B-A3B, 8",
        "Qwen/Qwen3.5-35B-A3B, 7",
        "Qwen/Qwen3-Next-80B-A3B-Instruct, 8",
        "MiniMaxAI/MiniMax-M3, 5",
        "deepseek-ai/DeepSeek-V4-Flash, 6",
        "openai/gpt-oss-120b, 5"
    })
    void theFirstLayersAreThoseOfTheModel(String id, int layers) throws IOException {
        ModelArchitecture shortened = shortened(id, layers);
        ModelArchitecture expected = Relayered.withLayers(MODELS.find(id).orElseThrow(), layers);

        assertThat(shortened.layers()).isEqualTo(layers);
        assertThat(shortened.groups()).isEqualTo(expected.groups());
        assertThat(kind(shortened)).isEqualTo(kind(expected));
    }

    @Test
    void draftsAreOfTheKindsThatFollow() throws IOException {
        ModelArchitecture model = shortened("Qwen/Qwen3.5-27B", 5);
        LayerGroup linear = model.groups().getFirst();

        assertThat(model.drafts()).isEqualTo(new DraftLayers(linear.attention(), linear.feedForward(), 2));
        assertThat(obstacles(model, 2)).isEmpty();
        assertThat(obstacles(model, 3))
                .containsExactly(
                        "is 3: draft layers of Qwen/Qwen3.5-27B behind the first 2 are of another kind, which is"
                                + " not modelled");
    }

    @Test
    void draftsOfDeepSeekV4CompressAsIsSaid() throws IOException {
        ModelArchitecture model = shortened("deepseek-ai/DeepSeek-V4-Flash", 6);

        assertThat(obstacles(model, 1)).isEmpty();
        assertThat(obstacles(model, 2)).hasSize(1);
        assertThat(obstacles(MODELS.find("deepseek-ai/DeepSeek-V4-Flash").orElseThrow(), 9))
                .isEmpty();
    }

    private static List<String> obstacles(ModelArchitecture model, int drafts) {
        return new Execution(true, drafts, 0, PassAccounting.DOCUMENTED, false, false)
                        .obstacles(
                                model,
                                new QuantizationScheme(LinearQuantization.DISABLED, AttentionQuantization.DISABLED, 32))
                        .stream()
                        .map(Obstacle::reason)
                        .toList();
    }

    /// How many of them there are is another question.
    private static List<Object> kind(ModelArchitecture model) {
        DraftLayers drafts = model.drafts();
        return drafts == null ? List.of() : List.of(drafts.attention(), drafts.feedForward());
    }

    private static ModelArchitecture shortened(String id, int layers) throws IOException {
        try (InputStream file =
                ShortenedModelsTest.class.getResourceAsStream("/catalog/models/" + id.replace("/", "--") + ".json")) {
            Map<String, Object> config =
                    JsonMapper.shared().readValue(Objects.requireNonNull(file), new TypeReference<>() {});
            if (config.get("text_config") instanceof Map<?, ?> section) {
                Map<String, Object> text = new LinkedHashMap<>();
                section.forEach((key, value) -> text.put(key.toString(), value));
                shorten(text, layers);
                config.put("text_config", text);
            } else {
                shorten(config, layers);
            }
            HuggingFaceConfig shortened = new HuggingFaceConfig(config);
            return ModelFamily.of(shortened).architecture(id, shortened);
        }
    }

    /// With the list of kinds of layers that published configurations have, where the catalogue has their interval.
    private static void shorten(Map<String, Object> config, int layers) {
        int all = ((Number) Objects.requireNonNull(config.get(LAYERS))).intValue();
        if (config.get("full_attention_interval") instanceof Number interval) {
            config.put(
                    "layer_types",
                    IntStream.rangeClosed(1, all)
                            .mapToObj(layer -> layer % interval.intValue() == 0 ? "full_attention" : "linear_attention")
                            .toList());
        }
        config.put(LAYERS, layers);
    }
}
