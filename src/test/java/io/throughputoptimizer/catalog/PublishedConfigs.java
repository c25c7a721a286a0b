package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Architectures;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/// Configurations as people find them, with everything that costs nothing.
final class PublishedConfigs {
    static final String QWEN3_8B = """
            {
              "architectures": ["Qwen3ForCausalLM"],
              "attention_bias": false,
              "attention_dropout": 0.0,
              "bos_token_id": 151643,
              "eos_token_id": 151645,
              "head_dim": 128,
              "hidden_act": "silu",
              "hidden_size": 4096,
              "initializer_range": 0.02,
              "intermediate_size": 12288,
              "max_position_embeddings": 40960,
              "max_window_layers": 36,
              "model_type": "qwen3",
              "num_attention_heads": 32,
              "num_hidden_layers": 36,
              "num_key_value_heads": 8,
              "rms_norm_eps": 1e-06,
              "rope_scaling": null,
              "rope_theta": 1000000,
              "sliding_window": null,
              "tie_word_embeddings": false,
              "torch_dtype": "bfloat16",
              "transformers_version": "4.51.0",
              "use_cache": true,
              "use_sliding_window": false,
              "vocab_size": 151936
            }
            """;

    static final String QWEN2_5_7B = """
            {
              "architectures": ["Qwen2ForCausalLM"],
              "attention_dropout": 0.0,
              "bos_token_id": 151643,
              "eos_token_id": 151643,
              "hidden_act": "silu",
              "hidden_size": 3584,
              "initializer_range": 0.02,
              "intermediate_size": 18944,
              "max_position_embeddings": 131072,
              "max_window_layers": 28,
              "model_type": "qwen2",
              "num_attention_heads": 28,
              "num_hidden_layers": 28,
              "num_key_value_heads": 4,
              "rms_norm_eps": 1e-06,
              "rope_theta": 1000000.0,
              "sliding_window": 131072,
              "tie_word_embeddings": false,
              "torch_dtype": "bfloat16",
              "transformers_version": "4.40.1",
              "use_cache": true,
              "use_mrope": false,
              "use_sliding_window": false,
              "vocab_size": 152064
            }
            """;

    static final String LLAMA_3_1_70B = """
            {
              "architectures": ["LlamaForCausalLM"],
              "attention_bias": false,
              "attention_dropout": 0.0,
              "bos_token_id": 128000,
              "eos_token_id": [128001, 128008, 128009],
              "hidden_act": "silu",
              "hidden_size": 8192,
              "initializer_range": 0.02,
              "intermediate_size": 28672,
              "max_position_embeddings": 131072,
              "mlp_bias": false,
              "model_type": "llama",
              "num_attention_heads": 64,
              "num_hidden_layers": 80,
              "num_key_value_heads": 8,
              "pretraining_tp": 1,
              "rms_norm_eps": 1e-05,
              "rope_scaling": {
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 8192,
                "rope_type": "llama3"
              },
              "rope_theta": 500000.0,
              "tie_word_embeddings": false,
              "torch_dtype": "bfloat16",
              "transformers_version": "4.43.0.dev0",
              "use_cache": true,
              "vocab_size": 128256
            }
            """;

    /// In the manner of version 5 of the library, quantized, and from long ago: one head for each query.
    static final String LLAMA_7B = """
            {
              "_name_or_path": "meta-llama/Llama-2-7b-hf",
              "architectures": ["LlamaForCausalLM"],
              "bos_token_id": 1,
              "dtype": "float16",
              "eos_token_id": 2,
              "head_dim": null,
              "hidden_act": "silu",
              "hidden_size": 4096,
              "initializer_range": 0.02,
              "intermediate_size": 11008,
              "max_position_embeddings": 4096,
              "model_type": "llama",
              "num_attention_heads": 32,
              "num_hidden_layers": 32,
              "pad_token_id": 0,
              "quantization_config": {
                "bits": 4, "group_size": 128, "quant_method": "awq", "version": "gemm", "zero_point": true
              },
              "rms_norm_eps": 1e-05,
              "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"},
              "tie_word_embeddings": false,
              "transformers_version": "5.0.0",
              "use_cache": true,
              "vocab_size": 32000
            }
            """;

    private PublishedConfigs() {}

    /// Each configuration with the architecture that it stands for.
    static Stream<Arguments> supported() {
        return Stream.of(
                Arguments.of(
                        QWEN3_8B,
                        Architectures.of(
                                "it",
                                "qwen3",
                                36,
                                4096,
                                151936,
                                40960,
                                1e-6,
                                new GroupedQuery(32, 8, 128, HeadNorm.PER_HEAD, false, false),
                                new FeedForwardSpec.Dense(12288))),
                Arguments.of(
                        QWEN2_5_7B,
                        Architectures.of(
                                "it",
                                "qwen2",
                                28,
                                3584,
                                152064,
                                131072,
                                1e-6,
                                new GroupedQuery(28, 4, 3584 / 28, HeadNorm.NONE, true, false),
                                new FeedForwardSpec.Dense(18944))),
                Arguments.of(
                        LLAMA_3_1_70B,
                        Architectures.of(
                                "it",
                                "llama",
                                80,
                                8192,
                                128256,
                                131072,
                                1e-5,
                                new GroupedQuery(64, 8, 8192 / 64, HeadNorm.NONE, false, false),
                                new FeedForwardSpec.Dense(28672))),
                Arguments.of(
                        LLAMA_7B,
                        Architectures.of(
                                "it",
                                "llama",
                                32,
                                4096,
                                32000,
                                4096,
                                1e-5,
                                new GroupedQuery(32, 32, 4096 / 32, HeadNorm.NONE, false, false),
                                new FeedForwardSpec.Dense(11008))));
    }

    static ModelArchitecture renamed(ModelArchitecture model, String id) {
        return Architectures.of(
                id,
                model.family(),
                model.groups(),
                model.hiddenSize(),
                model.vocabularySize(),
                model.maxPositions(),
                model.rmsNormEpsilon(),
                model.norms(),
                model.tiesEmbeddings(),
                model.drafts(),
                model.vision(),
                model.idleTower());
    }
}
