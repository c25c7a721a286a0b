package io.throughputoptimizer.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;

/// What a plan says to a serving engine, whatever the engine calls it.
public enum LaunchOption {
    /// Where the checkpoint lies, if the program does not take it.
    @JsonProperty("model")
    MODEL,
    /// What kind of device it runs on, where that needs to be said.
    @JsonProperty("device")
    DEVICE,
    @JsonProperty("tensor_parallel")
    TENSOR_PARALLEL,
    @JsonProperty("data_parallel")
    DATA_PARALLEL,
    /// Attention is data parallel, the experts are not.
    @JsonProperty("data_parallel_attention")
    DATA_PARALLEL_ATTENTION,
    @JsonProperty("expert_parallel")
    EXPERT_PARALLEL,
    /// Devices that share each expert, beside expert parallelism.
    @JsonProperty("expert_tensor_parallel")
    EXPERT_TENSOR_PARALLEL,
    /// Replicas of all experts.
    @JsonProperty("expert_replicas")
    EXPERT_REPLICAS,
    @JsonProperty("decode_context_parallel")
    DECODE_CONTEXT_PARALLEL,
    /// Most requests at once.
    @JsonProperty("requests")
    REQUESTS,
    /// Most tokens of a step.
    @JsonProperty("token_budget")
    TOKEN_BUDGET,
    /// Most of a batch of prompts.
    @JsonProperty("prefill_limit")
    PREFILL_LIMIT,
    /// Most tokens of a request.
    @JsonProperty("context_length")
    CONTEXT_LENGTH,
    /// Share of the device's memory that the engine takes.
    @JsonProperty("memory_share")
    MEMORY_SHARE,
    /// Share of the device's memory for weights and KV cache.
    @JsonProperty("cache_share")
    CACHE_SHARE,
    /// Share for the KV cache of what weights and buffers leave free.
    @JsonProperty("free_share")
    FREE_SHARE,
    /// Bytes of the KV cache on a device.
    @JsonProperty("cache_bytes")
    CACHE_BYTES,
    /// Prefixes of prompts are not kept.
    @JsonProperty("no_prefix_cache")
    NO_PREFIX_CACHE,
    @JsonProperty("cache_fp8")
    CACHE_FP8,
    @JsonProperty("cache_int8")
    CACHE_INT8,
    @JsonProperty("weights_int8")
    WEIGHTS_INT8,
    /// Weights in INT8, and activations as they are.
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
    /// No graphs are compiled.
    @JsonProperty("eager")
    EAGER,
    /// The tower for images is left out.
    @JsonProperty("text_only")
    TEXT_ONLY,
    /// Graphs are compiled.
    @JsonProperty("graphs")
    GRAPHS,
    /// Most requests of a compiled decode step.
    @JsonProperty("graph_requests")
    GRAPH_REQUESTS,
    /// Prompts may be cut into pieces.
    @JsonProperty("chunked_prefill")
    CHUNKED_PREFILL,
    /// The instance does prefill for others.
    @JsonProperty("prefill_role")
    PREFILL_ROLE,
    /// The instance decodes what others have prefilled.
    @JsonProperty("decode_role")
    DECODE_ROLE
}
