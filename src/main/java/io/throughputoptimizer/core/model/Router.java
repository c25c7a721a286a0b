package io.throughputoptimizer.core.model;

import org.jspecify.annotations.Nullable;

/// Selection of experts from router scores, with the parameters that determine its cost.
public sealed interface Router {

    /// Returns whether a bias corrects the scores.
    boolean hasBias();

    /// Softmax over all experts, then top-k, normalized to a sum of 1 (Qwen3-MoE).
    record Softmax() implements Router {
        @Override
        public boolean hasBias() {
            return false;
        }
    }

    /// [Softmax] of tokens after a norm without a weight, times a vector and a scalar; top-k weights are
    /// multiplied by a scalar per expert (Gemma 4).
    record NormedSoftmax() implements Router {
        @Override
        public boolean hasBias() {
            return false;
        }
    }

    /// Softmax over all experts in float32, top-k by corrected scores, normalized (ERNIE-4.5). The gate is kept
    /// in float32.
    record CorrectedSoftmax() implements Router {
        @Override
        public boolean hasBias() {
            return true;
        }
    }

    /// Sigmoid, top-k by corrected scores, normalized (MiniMax). msmodeling adds the bias but stores none among
    /// the weights.
    record Sigmoid() implements Router {
        @Override
        public boolean hasBias() {
            return true;
        }
    }

    /// Sigmoid, correction, top-k and normalization in one operator (MiniMax-M3).
    record FusedSigmoid() implements Router {
        @Override
        public boolean hasBias() {
            return true;
        }
    }

    /// Softmax and top-k in one operator on raw float32 scores, normalized (DeepSeek-V3, GLM-4.5, GLM-5).
    /// msmodeling leaves out group limits and the scaling of results here.
    ///
    /// @param biasBytes size of one element of the stored bias
    /// @param own the model's gate, which also runs in uncompiled passes; null if such passes were never
    ///     measured
    record RawLogits(int biasBytes, @Nullable GroupLimited own) implements Router {
        private static final int MAX_BIAS_BYTES = 4;

        public RawLogits {
            ModelArchitecture.requireSize("bias bytes", biasBytes, MAX_BIAS_BYTES);
        }

        @Override
        public boolean hasBias() {
            return true;
        }
    }

    /// Sigmoid in float32, top groups by corrected scores, top-k experts within them, normalized and scaled
    /// (DeepSeek-V3.2, Ling).
    ///
    /// @param groups number of expert groups
    /// @param selectedGroups number of groups selected per token
    /// @param biasBytes size of one element of the stored bias; 2 if uncompiled passes were measured
    record GroupLimited(int groups, int selectedGroups, int biasBytes) implements Router {
        public static final int HALF = 2;
        public static final int SINGLE = 4;

        public GroupLimited {
            ModelArchitecture.requireSize("bias bytes", biasBytes, SINGLE);
            ModelArchitecture.requireSize("groups", groups, FeedForwardSpec.Routing.MAX_EXPERTS);
            ModelArchitecture.requireSize("selected groups", selectedGroups, groups);
        }

        @Override
        public boolean hasBias() {
            return true;
        }
    }

    /// Square root of softplus in float32, then top-k by corrected scores (DeepSeek-V4); in the first layers a
    /// table per vocabulary token instead.
    ///
    /// @param hashed true if the table selects the experts
    record SquareRoot(boolean hashed) implements Router {
        @Override
        public boolean hasBias() {
            return !hashed;
        }
    }
}
