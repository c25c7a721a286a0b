package io.throughputoptimizer.core.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.stored.StoredModel;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// What checkpoints say of their quantization, turned into schemes.
class NearestQuantizationTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    /// Five layers, the first dense, the others with routed and shared experts.
    private static final String ROUTED = """
            {"model_type": "deepseek_v3", "hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 5,
             "num_attention_heads": 4, "vocab_size": 1000, "max_position_embeddings": 2048, "rms_norm_eps": 1e-5,
             "q_lora_rank": 24, "kv_lora_rank": 16, "qk_nope_head_dim": 12, "qk_rope_head_dim": 8, "v_head_dim": 10,
             "n_routed_experts": 16, "num_experts_per_tok": 2, "moe_intermediate_size": 48, "n_shared_experts": 1,
             "first_k_dense_replace": 1, "norm_topk_prob": true, "quantization_config": QUANTIZATION}""";

    private static final String DENSE = """
            {"model_type": "qwen3", "hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 2,
             "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 1000,
             "max_position_embeddings": 2048, "rms_norm_eps": 1e-6, "quantization_config": QUANTIZATION}""";

    @ParameterizedTest
    @CsvSource({
        "deepseek-ai/DeepSeek-V3.1,    fp8,                FP8,          ,         32",
        "moonshotai/Kimi-K2-Instruct,  fp8,                FP8,          ,         32",
        "MiniMaxAI/MiniMax-M2,         fp8,                FP8,          ,         32",
        "moonshotai/Kimi-K2.5,         compressed-tensors, W4A8_DYNAMIC, DISABLED, 32",
        "openai/gpt-oss-120b,          mxfp4,              MXFP4,        DISABLED, 32"
    })
    void publishedCheckpointsAreNearA(
            String id, String method, LinearQuantization linear, LinearQuantization nonExperts, int groupSize) {
        NearestQuantization nearest =
                NearestQuantization.of(CATALOGS.models().find(id).orElseThrow()).orElseThrow();

        assertThat(nearest.method()).isEqualTo(method);
        assertThat(nearest.scheme())
                .isEqualTo(new QuantizationScheme(linear, nonExperts, AttentionQuantization.DISABLED, groupSize));
    }

    @Test
    void whatIsOtherwiseIsSaidInWords() {
        assertThat(NearestQuantization.of(
                                CATALOGS.models().find("moonshotai/Kimi-K2.5").orElseThrow())
                        .orElseThrow()
                        .differences())
                .containsExactly(
                        "INT4 in blocks of 32: the scale of each block is not counted, 12.5% of the bytes of the weights",
                        "inputs of INT4 layers have 16 bits in the checkpoint; W4A8_DYNAMIC prices them with 8 bits");
        assertThat(NearestQuantization.of(CATALOGS.models()
                                .find("deepseek-ai/DeepSeek-V3")
                                .orElseThrow())
                        .orElseThrow()
                        .differences())
                .containsExactly(
                        "FLOAT8 in blocks of 128 x 128: the scale of each block is not counted, 0.0244% of the bytes of"
                                + " the weights",
                        "inputs are scaled in groups; FP8 prices one scale a tensor");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head", "model.layers.*.self_attn*", "model.layers.*.mlp.shared_experts*"]} | MXFP4 | DISABLED | FP8 | 16
            {"quant_method": "modelopt", "quant_algo": "FP8"} | FP8 | | DISABLED | 32
            {"quant_method": "gptq", "bits": 4, "group_size": 128, "sym": true, "dynamic": {"-:.*attn.*": {}, "-:.*shared_experts.*": {}, "-:.*mlp\\\\.[a-z]*_proj.*": {}}} | W4A8_DYNAMIC | DISABLED | DISABLED | 32
            {"quant_method": "gptq", "bits": 8, "group_size": -1} | W8A16_DYNAMIC | | DISABLED | 32
            {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true, "modules_to_not_convert": ["self_attn", "shared_experts", "mlp.gate"]} | W4A8_DYNAMIC | DISABLED | DISABLED | 32
            {"quant_method": "compressed-tensors", "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "int", "strategy": "channel", "symmetric": true}, "input_activations": {"num_bits": 8, "type": "int", "dynamic": true}}}, "ignore": ["lm_head"]} | W8A8_DYNAMIC | | DISABLED | 32
            {"quant_method": "compressed-tensors", "config_groups": {"group_0": {"targets": ["re:.*self_attn.*"], "weights": {"num_bits": 8, "type": "float", "symmetric": true}, "input_activations": {"num_bits": 8, "dynamic": false}}, "group_1": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "float", "group_size": 16, "symmetric": true}, "input_activations": {"num_bits": 4, "dynamic": "local"}}}, "kv_cache_scheme": {"num_bits": 8, "type": "float"}} | MXFP4 | | FP8 | 16
            {"quant_method": "mxfp4"} | MXFP4 | | DISABLED | 32
            """)
    void eachToolIsRead(
            String quantization,
            LinearQuantization linear,
            LinearQuantization nonExperts,
            AttentionQuantization cache,
            int groupSize) {
        assertThat(NearestQuantization.of(routed(quantization)).orElseThrow().scheme())
                .isEqualTo(new QuantizationScheme(linear, nonExperts, cache, groupSize));
    }

    /// The scheme of all but the experts is that of most of their parameters.
    @Test
    void partsStoredOtherwiseThanMostAreNamed() {
        NearestQuantization nearest = NearestQuantization.of(
                        routed(
                                "{\"quant_method\": \"fp8\", \"modules_to_not_convert\": [\"model.layers.0.mlp\", \"model.layers.3.self_attn\"]}"))
                .orElseThrow();

        assertThat(nearest.scheme().nonExpertLinear()).isNull();
        assertThat(nearest.differences())
                .containsExactly(
                        "attention of 1 layer is 16 bits in the checkpoint and priced as FLOAT8",
                        "dense layers of 1 layer is 16 bits in the checkpoint and priced as FLOAT8");
    }

    @Test
    void aDenseModelHasOneScheme() {
        ModelArchitecture model =
                read(DENSE, "{\"quant_method\": \"awq\", \"bits\": 4, \"group_size\": 128, \"zero_point\": true}");

        NearestQuantization nearest = NearestQuantization.of(model).orElseThrow();
        assertThat(nearest.scheme().linear()).isEqualTo(LinearQuantization.W4A8_DYNAMIC);
        assertThat(nearest.scheme().nonExpertLinear()).isNull();
        assertThat(nearest.differences())
                .contains(
                        "INT4 in blocks of 128: the scale of each block is not counted, 3.13% of the bytes of the weights",
                        "INT4 in blocks of 128: zero points are not counted");
    }

    /// None of it makes a configuration unfit: other quantizations of the model can be asked for.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"quant_method": "bitsandbytes"} | quant_method is "bitsandbytes"
            {} | quant_method is required
            {"quant_method": "gptq", "bits": 3} | bits is 3
            {"quant_method": "gptq", "bits": 4, "dynamic": {"+:.*experts.*": {"bits": 8}}} | modules quantized otherwise
            {"quant_method": "modelopt", "quant_algo": "W4A8_AWQ"} | quant_algo is "W4A8_AWQ"
            {"quant_method": "fp8", "ignored_layers": 7} | ignored_layers must be a list, got 7
            {"quant_method": "fp8", "ignored_layers": ["re:(("]} | is no regular expression
            {"quant_method": "fp8", "ignored_layers": ["re:((.*)*)*x$"]} | takes too long to match
            """)
    void whatCannotBeReadSaysWhy(String quantization, String reason) {
        ModelArchitecture model = routed(quantization);

        assertThat(NearestQuantization.of(model)).isEmpty();
        assertThat(NearestQuantization.obstacle(model).orElseThrow()).contains(reason);
    }

    /// Each of them is slow, and none too slow by itself.
    @Test
    void manySlowExpressionsAreNotComparedForEver() {
        String expressions = IntStream.range(0, 2000)
                .mapToObj(index -> "\"re:.*.*x" + index + "\"")
                .collect(Collectors.joining(", "));

        ModelArchitecture model = routed("{\"quant_method\": \"fp8\", \"ignored_layers\": [" + expressions + "]}");

        assertThat(NearestQuantization.obstacle(model).orElseThrow()).contains("names too many modules");
    }

    @Test
    void aModelThatSaysNothingHasNone() {
        ModelArchitecture model = CATALOGS.models().find("Qwen/Qwen3-8B").orElseThrow();

        assertThat(NearestQuantization.of(model)).isEmpty();
        assertThat(NearestQuantization.obstacle(model))
                .contains("model Qwen/Qwen3-8B names no quantization of its own");
    }

    private static ModelArchitecture routed(String quantization) {
        return read(ROUTED, quantization);
    }

    private static ModelArchitecture read(String config, String quantization) {
        Map<String, Object> entries = JsonMapper.shared()
                .readerForMapOf(Object.class)
                .readValue(config.replace("QUANTIZATION", quantization));
        return StoredModel.of("owner/name", new HuggingFaceConfig(entries));
    }
}
