package io.throughputoptimizer.core.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.stored.StoredModel;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// What servers cache in that nobody tells a type.
class CacheTypeTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    private static final String CONFIG = """
            {"model_type": "qwen3", "hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 2,
             "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 1000,
             "max_position_embeddings": 2048, "rms_norm_eps": 1e-6, "quantization_config":
             {"quant_method": "modelopt", "quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}}""";

    @ParameterizedTest
    @CsvSource({"Qwen/Qwen3-32B", "deepseek-ai/DeepSeek-V3.1", "openai/gpt-oss-120b", "meta-llama/Meta-Llama-3.1-70B"})
    void theTypeOfTheModel(String id) {
        assertThat(CacheType.unlessTold(CATALOGS.models().find(id).orElseThrow()))
                .contains(CacheType.BF16);
    }

    @Test
    void thatOfACheckpointWhichSaysIt() {
        Map<String, Object> config =
                JsonMapper.shared().readerForMapOf(Object.class).readValue(CONFIG);
        ModelArchitecture model = StoredModel.of("owner/name", new HuggingFaceConfig(config));

        assertThat(CacheType.unlessTold(model)).contains(CacheType.FP8);
    }

    /// Selected and compressed tokens are cached in formats that go by engine, release and device.
    @ParameterizedTest
    @CsvSource({"deepseek-ai/DeepSeek-V3.2", "deepseek-ai/DeepSeek-V4-Flash"})
    void nobodyKnowsThoseOfFormatsOfTheirOwn(String id) {
        assertThat(CacheType.unlessTold(CATALOGS.models().find(id).orElseThrow()))
                .isEmpty();
    }
}
