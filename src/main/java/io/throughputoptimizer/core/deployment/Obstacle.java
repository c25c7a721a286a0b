package io.throughputoptimizer.core.deployment;

import java.util.Optional;

/// A reason a model cannot run as a deployment.
///
/// @param part unsupported part of the deployment
/// @param reason value and rule, for people
public record Obstacle(Part part, String reason) {

    /// Parts of a deployment that can be unsupported.
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

        /// Returns whether another layout could help.
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

    /// Returns an obstacle if the condition holds, else empty.
    public static Optional<Obstacle> when(boolean obstructed, Part part, String reason) {
        return obstructed ? Optional.of(new Obstacle(part, reason)) : Optional.empty();
    }
}
