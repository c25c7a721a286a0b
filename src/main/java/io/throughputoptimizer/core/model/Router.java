package io.throughputoptimizer.core.model;

import org.jspecify.annotations.Nullable;

/// How the scores of experts become a choice, by what its cost depends on.
public sealed interface Router {

    /// Whether a bias corrects the scores.
    boolean hasBias();

    /// Softmax over all experts, then the best, normalized to a sum of 1 (Qwen3-MoE).
    record Softmax() implements Router {
        @Override
        public boolean hasBias() {
            return false;
        }
    }

    /// [Softmax] of tokens behind a norm without a weight, times a vector and a number; the weights of the best are
    /// multiplied by a number of each expert (Gemma 4).
    record NormedSoftmax() implements Router {
        @Override
        public boolean hasBias() {
            return false;
        }
    }

    /// Softmax over all experts in float32, the best by corrected scores, normalized (ERNIE-4.5). The gate is kept in
    /// float32.
    record CorrectedSoftmax() implements Router {
        @Override
        public boolean hasBias() {
            return true;
        }
    }

    /// Sigmoid, the best by corrected scores, normalized (MiniMax). The reference adds the bias but stores none
    /// among the weights.
    record Sigmoid() implements Router {
        @Override
        public boolean hasBias() {
            return true;
        }
    }

    /// Sigmoid, correction, choice and normalization in one operator (MiniMax-M3).
    record FusedSigmoid() implements Router {
        @Override
        public boolean hasBias() {
            return true;
        }
    }

    /// Softmax and choice in one operator on raw scores in float32, normalized (DeepSeek-V3, GLM-4.5, GLM-5). The
    /// reference leaves out limited groups and the scaling of results here.
    ///
    /// @param biasBytes size of one element of the stored bias
    /// @param own the model's gate, which runs besides when a pass is not compiled; absent where such passes were
    ///     never measured
    record RawLogits(int biasBytes, @Nullable GroupLimited own) implements Router {
        private static final int MAX_BIAS_BYTES = 4;

        public RawLogits {
            ModelArchitecture.requireSize("bias bytes", biasBytes, MAX_BIAS_BYTES);
        }

        public RawLogits(int biasBytes) {
            this(biasBytes, null);
        }

        @Override
        public boolean hasBias() {
            return true;
        }
    }

    /// Sigmoid in float32, the best groups by corrected scores, the best experts in them, normalized and scaled
    /// (DeepSeek-V3.2, Ling).
    ///
    /// @param groups groups into which experts are divided
    /// @param selectedGroups groups from which a token takes its experts
    /// @param biasBytes size of one element of the stored bias; of 2 where passes that are not compiled were
    ///     measured
    record GroupLimited(int groups, int selectedGroups, int biasBytes) implements Router {
        public static final int HALF = 2;
        private static final int SINGLE = 4;

        /// With a bias in float32.
        public GroupLimited(int groups, int selectedGroups) {
            this(groups, selectedGroups, SINGLE);
        }

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

    /// Square root of softplus in float32, then the best by corrected scores (DeepSeek-V4), or, for the first layers,
    /// the experts that a table has for each token of the vocabulary.
    ///
    /// @param hashed whether the table says
    record SquareRoot(boolean hashed) implements Router {
        @Override
        public boolean hasBias() {
            return !hashed;
        }
    }
}
