package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.family.ModelFamily;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Passes that nobody could record on the reference, but whose rules are known.
class UnrecordedPassesTest {
    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    /// Qwen3-Next uncompiled: milliseconds, bytes of weights and of the cache by a calculator of the reference's rules
    /// that equals its recorded passes of the other kinds.
    @ParameterizedTest
    @CsvSource({
        "ATLAS_800_A3_752T_128G_DIE, 8, 2, 8, W8A8_DYNAMIC, DISABLED, false, 4, 700, 700, 142.42964362856458, 12295075516, 37748736",
        "ATLAS_800_A3_752T_128G_DIE, 8, 4, 8, DISABLED, DISABLED, true, 64, 1, 3000, 96.1934909841313, 23179523584, 4724883456",
        "TEST_DEVICE, 4, 4, 4, W8A8_STATIC, INT8, true, 1, 1, 4251, 22.657384259854886, 21727672184, 106954752"
    })
    void linearAttentionAsOneOperatorInAnEagerGraph(
            String device,
            int devices,
            int tp,
            int ep,
            LinearQuantization linear,
            AttentionQuantization cache,
            boolean decode,
            int requests,
            long query,
            long sequence,
            double millis,
            double weights,
            double cacheBytes) {
        Deployment deployment = new Deployment(
                TestDeployments.model("Qwen/Qwen3-Next-80B-A3B-Instruct"),
                TestDeployments.device(device),
                new ParallelLayout(tp, 1, devices / tp, new ExpertLayout(ep, devices / ep, 1)),
                new QuantizationScheme(linear, cache, 32),
                new Execution(false, 0, 0, PassAccounting.DOCUMENTED, false, false));
        ForwardEstimate estimate = estimator.estimate(
                deployment,
                new ForwardShape.Uniform(requests, new Request(query, sequence, decode), null, requests == 1));

        assertThat(estimate.latencyMillis()).isCloseTo(millis, within(1e-9 * millis));
        assertThat(estimate.memory().weightBytes()).isEqualTo(weights);
        assertThat(estimate.memory().kvCacheBytes()).isEqualTo(cacheBytes);
        assertThat(estimate.memory().exact()).isFalse();
    }

    /// Draft layers of Kimi-K2.5 are those of the decoder that it shares with Kimi-K2, whose passes were recorded as
    /// DeepSeek-V3.
    @Test
    void draftsOfKimiK25AreThoseOfItsDecoder() {
        ModelArchitecture published = TestDeployments.model("moonshotai/Kimi-K2.5");
        ModelArchitecture text = ModelFamily.model("text", new HuggingFaceConfig(decoder("kimi_k2")));
        ModelArchitecture whole = ModelFamily.model(
                "whole", new HuggingFaceConfig(Map.of("model_type", "kimi_k25", "text_config", decoder("kimi_k2"))));
        ForwardShape step = new ForwardShape.Uniform(64, Request.decode(4, 4250));

        assertThat(whole.groups()).isEqualTo(published.groups());
        assertThat(published.predictsDrafts()).isFalse();
        ForwardEstimate expected = estimator.estimate(drafting(text), step);
        ForwardEstimate estimate = estimator.estimate(drafting(whole), step);
        assertThat(estimate).isEqualTo(expected);
        assertThat(estimate.latencyMillis()).isGreaterThan(57.9);
    }

    private static Deployment drafting(ModelArchitecture model) {
        return new Deployment(
                model,
                TestDeployments.device("ATLAS_800_A3_560T_128G_DIE"),
                new ParallelLayout(4, 1, 4, new ExpertLayout(16, 1, 1)),
                new QuantizationScheme(LinearQuantization.W4A8_DYNAMIC, AttentionQuantization.DISABLED, 32),
                new Execution(true, 3, 0, PassAccounting.DOCUMENTED, false, false).withReductionsFused(true));
    }

    private static Map<String, Object> decoder(String type) {
        Map<String, Object> text = new HashMap<>(Map.of(
                "model_type", type,
                "hidden_size", 7168,
                "intermediate_size", 18432,
                "num_hidden_layers", 61,
                "num_attention_heads", 64,
                "num_key_value_heads", 64,
                "vocab_size", 163840,
                "max_position_embeddings", 262144,
                "rms_norm_eps", 1e-5,
                "q_lora_rank", 1536));
        text.putAll(Map.of(
                "kv_lora_rank", 512,
                "qk_nope_head_dim", 128,
                "qk_rope_head_dim", 64,
                "v_head_dim", 128,
                "n_routed_experts", 384,
                "num_experts_per_tok", 8,
                "moe_intermediate_size", 2048,
                "n_shared_experts", 1,
                "first_k_dense_replace", 1,
                "num_nextn_predict_layers", 1));
        text.put("norm_topk_prob", true);
        return text;
    }
}
