package io.throughputoptimizer.core.deployment;

import java.util.Optional;

/// Why a model cannot be run as a deployment says.
///
/// @param part what of the deployment is at fault
/// @param reason the value and the rule, for people
public record Obstacle(Part part, String reason) {

    /// Parts of a deployment that can be at fault.
    public enum Part {
        MODEL,
        BACKEND,
        TENSOR_PARALLEL,
        PIPELINE_PARALLEL,
        EXPERT_PARALLEL,
        EXPERT_REPLICAS,
        DECODE_CONTEXT_PARALLEL,
        DRAFT_TOKENS,
        COMPILATION,
        LINEAR_QUANTIZATION,
        CACHE_QUANTIZATION,
        NON_EXPERT_QUANTIZATION,
        SHARED_EXPERTS;

        /// Whether another layout may help.
        public boolean isOfLayout() {
            return switch (this) {
                case TENSOR_PARALLEL, PIPELINE_PARALLEL, EXPERT_PARALLEL, EXPERT_REPLICAS, DECODE_CONTEXT_PARALLEL ->
                    true;
                case MODEL,
                        BACKEND,
                        DRAFT_TOKENS,
                        COMPILATION,
                        LINEAR_QUANTIZATION,
                        CACHE_QUANTIZATION,
                        NON_EXPERT_QUANTIZATION,
                        SHARED_EXPERTS -> false;
            };
        }
    }

    /// An obstacle where there is one.
    public static Optional<Obstacle> when(boolean obstructed, Part part, String reason) {
        return obstructed ? Optional.of(new Obstacle(part, reason)) : Optional.empty();
    }
}
