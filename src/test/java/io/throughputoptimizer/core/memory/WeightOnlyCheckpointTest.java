package io.throughputoptimizer.core.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.StoredFormat;
import io.throughputoptimizer.core.model.StoredQuantization;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.stored.StoredModel;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Schemes and bytes of checkpoints whose weights alone are quantized.
class WeightOnlyCheckpointTest {
    private static final String MODEL = """
            {"model_type": "TYPE", "hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 2,
             "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 1000,
             "max_position_embeddings": 2048, "rms_norm_eps": 1e-6, EXPERTS "KEY": QUANTIZATION}""";
    private static final String EXPERTS =
            "\"num_experts\": 8, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 32, \"norm_topk_prob\": true,";
    private static final double SIDE = 1 << 20;

    private static ModelArchitecture model(String quantization) {
        return model("qwen3", "", "quantization_config", quantization);
    }

    @SuppressWarnings("unchecked")
    private static ModelArchitecture model(String type, String experts, String key, String quantization) {
        String json = MODEL.replace("TYPE", type)
                .replace("EXPERTS", experts)
                .replace("KEY", key)
                .replace("QUANTIZATION", quantization);
        return StoredModel.of("m", new HuggingFaceConfig((Map<String, Object>)
                JsonMapper.shared().readValue(json, Map.class)));
    }

    static List<JsonNode> checkpoints() {
        return Silicon.members("vectors-3.json.gz", "checkpoints");
    }

    @ParameterizedTest
    @MethodSource("checkpoints")
    void aCheckpointHasTheSchemeAndBytesOfItsVector(JsonNode vector) {
        ModelArchitecture model = model(vector.required("quantization_config").toString());
        JsonNode expected = vector.required("expected");

        if (expected.isNull()) {
            assertThat(Scheme.of(model).filter(scheme -> scheme == Scheme.W4A16 || scheme == Scheme.W8A16))
                    .isEmpty();
            return;
        }
        StoredFormat format = requireNonNull(requireNonNull(model.stored()).others());
        assertThat(Scheme.of(model))
                .contains(Scheme.valueOf(expected.required("scheme").stringValue()));
        assertThat(format.zeroPoints())
                .isNotEqualTo(expected.required("symmetric").booleanValue());
        assertThat(WeightFormat.of(format).bytes(SIDE, SIDE) / (SIDE * SIDE))
                .isCloseTo(expected.required("bytes_per_weight").doubleValue(), within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'quant_method': 'awq', 'w_bit': 4, 'q_group_size': 128}",
                "{'quant_method': 'gptq', 'bits': 4, 'group_size': 128, 'desc_act': true, 'dynamic': {'-:.*lm_head.*': {}}}",
                "{'quant_method': 'auto-round', 'bits': 4, 'group_size': 128, 'extra_config': {'lm_head': {'bits': 16}}}"
            })
    void olderAndOtherWordsNameFourBitWeights(String quantization) {
        assertThat(Scheme.of(model(quantization.replace('\'', '"')))).contains(Scheme.W4A16);
    }

    @Test
    void theEarlierNameOfTheSectionIsRead() {
        String groups = "{\"quant_method\": \"compressed-tensors\", \"config_groups\": {\"group_0\": {\"targets\":"
                + " [\"Linear\"], \"weights\": {\"num_bits\": 8, \"type\": \"int\", \"strategy\": \"channel\"}}}}";

        assertThat(Scheme.of(model("qwen3", "", "compression_config", groups))).contains(Scheme.W8A16);
    }

    @Test
    void expertsAloneAreInFourBitsWhereAttentionIsKept() {
        String kept = "{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 128, \"dynamic\":"
                + " {\"-:.*self_attn.*\": {}}}";

        assertThat(Scheme.of(model("qwen3_moe", EXPERTS, "quantization_config", kept)))
                .contains(Scheme.INT4_EXPERTS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'quant_method': 'gptq', 'bits': 2, 'group_size': 128}; 4 and 8 bits",
                "{'quant_method': 'auto-round', 'bits': 4, 'data_type': 'mx_fp'}; only int",
                "{'quant_method': 'auto-round', 'bits': 4, 'extra_config': {'model.layers.0.mlp.up_proj': {'bits': 8}}}; not told",
                "{'quant_method': 'compressed-tensors', 'config_groups': {'a': {'targets': ['Linear'], 'weights': {'num_bits': 8,"
                        + " 'type': 'float'}}}}; FP8",
                "{'quant_method': 'compressed-tensors', 'config_groups': {'a': {'targets': ['re:.*mlp.*'], 'weights':"
                        + " {'num_bits': 4, 'type': 'int', 'group_size': 128}}, 'b': {'targets': ['re:.*attn.*'], 'weights':"
                        + " {'num_bits': 8, 'type': 'int', 'group_size': 128}}}}; groups differ"
            })
    void otherWeightsAreRejectedWithTheReason(String caseOf) {
        String[] parts = caseOf.split("; ", -1);
        ModelArchitecture model = model(parts[0].replace('\'', '"'));
        StoredQuantization stored = requireNonNull(model.stored());

        assertThat(Scheme.of(model)).isEmpty();
        assertThat(stored.reason()).contains(parts[1]);
    }
}
