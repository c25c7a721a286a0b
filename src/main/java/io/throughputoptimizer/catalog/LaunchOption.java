package io.throughputoptimizer.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Options of a plan, independent of the engine.
public enum LaunchOption {
    /// Checkpoint path, unless the program takes it.
    @JsonProperty("model")
    MODEL,
    /// Kind of device, where required.
    @JsonProperty("device")
    DEVICE,
    @JsonProperty("tensor_parallel")
    TENSOR_PARALLEL,
    @JsonProperty("data_parallel")
    DATA_PARALLEL,
    /// Data parallel attention with experts that are not data parallel.
    @JsonProperty("data_parallel_attention")
    DATA_PARALLEL_ATTENTION,
    @JsonProperty("expert_parallel")
    EXPERT_PARALLEL,
    /// Devices that share each expert, in addition to expert parallelism.
    @JsonProperty("expert_tensor_parallel")
    EXPERT_TENSOR_PARALLEL,
    /// Replicas of all experts.
    @JsonProperty("expert_replicas")
    EXPERT_REPLICAS,
    @JsonProperty("decode_context_parallel")
    DECODE_CONTEXT_PARALLEL,
    /// Maximum number of concurrent requests.
    @JsonProperty("requests")
    REQUESTS,
    /// Maximum tokens per step.
    @JsonProperty("token_budget")
    TOKEN_BUDGET,
    /// Maximum prompts or tokens of a prefill batch.
    @JsonProperty("prefill_limit")
    PREFILL_LIMIT,
    /// Maximum tokens per request.
    @JsonProperty("context_length")
    CONTEXT_LENGTH,
    /// Fraction of the device memory that the engine uses.
    @JsonProperty("memory_share")
    MEMORY_SHARE,
    /// Fraction of the device memory for weights and KV cache.
    @JsonProperty("cache_share")
    CACHE_SHARE,
    /// Fraction for the KV cache of the memory left by weights and buffers.
    @JsonProperty("free_share")
    FREE_SHARE,
    /// KV cache size per device in bytes.
    @JsonProperty("cache_bytes")
    CACHE_BYTES,
    /// Disabled prefix cache.
    @JsonProperty("no_prefix_cache")
    NO_PREFIX_CACHE,
    @JsonProperty("cache_fp8")
    CACHE_FP8,
    @JsonProperty("cache_int8")
    CACHE_INT8,
    @JsonProperty("weights_int8")
    WEIGHTS_INT8,
    /// INT8 weights with unquantized activations.
    @JsonProperty("weights_int8_only")
    WEIGHTS_INT8_ONLY,
    @JsonProperty("weights_int4")
    WEIGHTS_INT4,
    @JsonProperty("weights_fp8")
    WEIGHTS_FP8,
    @JsonProperty("weights_mxfp4")
    WEIGHTS_MXFP4,
    /// Draft tokens of multi-token prediction.
    @JsonProperty("drafts")
    DRAFTS,
    /// Disabled graph compilation.
    @JsonProperty("eager")
    EAGER,
    /// Disabled vision tower.
    @JsonProperty("text_only")
    TEXT_ONLY,
    /// Enabled graph compilation.
    @JsonProperty("graphs")
    GRAPHS,
    /// Maximum requests of a compiled decode step.
    @JsonProperty("graph_requests")
    GRAPH_REQUESTS,
    /// Enabled chunked prefill.
    @JsonProperty("chunked_prefill")
    CHUNKED_PREFILL,
    /// Role of a prefill instance.
    @JsonProperty("prefill_role")
    PREFILL_ROLE,
    /// Role of a decode instance.
    @JsonProperty("decode_role")
    DECODE_ROLE
}
