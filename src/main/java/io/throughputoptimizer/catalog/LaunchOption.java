package io.throughputoptimizer.catalog;

/// Options of a plan, independent of the engine.
public enum LaunchOption {
    /// Checkpoint path, unless the program takes it.
    MODEL,
    /// Kind of device, where required.
    DEVICE,
    TENSOR_PARALLEL,
    DATA_PARALLEL,
    /// Data parallel attention with experts that are not data parallel.
    DATA_PARALLEL_ATTENTION,
    EXPERT_PARALLEL,
    /// Devices that share each expert, in addition to expert parallelism.
    EXPERT_TENSOR_PARALLEL,
    /// Replicas of all experts.
    EXPERT_REPLICAS,
    DECODE_CONTEXT_PARALLEL,
    /// Maximum number of concurrent requests.
    REQUESTS,
    /// Maximum tokens per step.
    TOKEN_BUDGET,
    /// Maximum prompts or tokens of a prefill batch.
    PREFILL_LIMIT,
    /// Maximum tokens per request.
    CONTEXT_LENGTH,
    /// Fraction of the device memory that the engine uses.
    MEMORY_SHARE,
    /// Fraction of the device memory for weights and KV cache.
    CACHE_SHARE,
    /// Fraction for the KV cache of the memory left by weights and buffers.
    FREE_SHARE,
    /// KV cache size per device in bytes.
    CACHE_BYTES,
    /// Disabled prefix cache.
    NO_PREFIX_CACHE,
    CACHE_FP8,
    CACHE_INT8,
    WEIGHTS_INT8,
    /// INT8 weights with unquantized activations.
    WEIGHTS_INT8_ONLY,
    WEIGHTS_INT4,
    WEIGHTS_FP8,
    WEIGHTS_MXFP4,
    /// Draft tokens of multi-token prediction.
    DRAFTS,
    /// Disabled graph compilation.
    EAGER,
    /// Disabled vision tower.
    TEXT_ONLY,
    /// Enabled graph compilation.
    GRAPHS,
    /// Maximum requests of a compiled decode step.
    GRAPH_REQUESTS,
    /// Enabled chunked prefill.
    CHUNKED_PREFILL,
    /// Role of a prefill instance.
    PREFILL_ROLE,
    /// Role of a decode instance.
    DECODE_ROLE
}
