package io.throughputoptimizer.core.deployment;

/// Why a model cannot be run as a deployment says.
///
/// @param part what of the deployment is at fault
/// @param reason the value and the rule, for people
public record Obstacle(Part part, String reason) {

    /// Parts of a deployment that can be at fault.
    public enum Part {
        MODEL,
        TENSOR_PARALLEL,
        EXPERT_PARALLEL,
        EXPERT_REPLICAS,
        DECODE_CONTEXT_PARALLEL,
        DRAFT_TOKENS,
        COMPILATION,
        LINEAR_QUANTIZATION,
        CACHE_QUANTIZATION,
        NON_EXPERT_QUANTIZATION,
        SHARED_EXPERTS
    }
}
