package io.throughputoptimizer.core.model;

/// Kind of attention, by what its cost depends on.
public sealed interface AttentionSpec {

    /// Parameters of one layer's attention for a residual stream of `hiddenSize`.
    long parameterCount(int hiddenSize);

    /// Attention with `queryHeads` query heads sharing `keyValueHeads` key and value heads of `headSize` each.
    ///
    /// @param headNorm whether queries and keys are normalized before the rotation, and over what
    /// @param queryKeyValueBias whether the q, k and v projections have biases
    /// @param outputBias whether the output projection has a bias
    record GroupedQuery(
            int queryHeads,
            int keyValueHeads,
            int headSize,
            HeadNorm headNorm,
            boolean queryKeyValueBias,
            boolean outputBias)
            implements AttentionSpec {
        public GroupedQuery {
            ModelArchitecture.requireSize("query heads", queryHeads, ModelArchitecture.MAX_INNER_WIDTH);
            ModelArchitecture.requireSize("key-value heads", keyValueHeads, queryHeads);
            ModelArchitecture.requireSize("head size", headSize, ModelArchitecture.MAX_INNER_WIDTH / queryHeads);
            if (queryHeads % keyValueHeads != 0) {
                throw new IllegalArgumentException(
                        "query heads " + queryHeads + " is not a multiple of key-value heads " + keyValueHeads);
            }
        }

        @Override
        public long parameterCount(int hiddenSize) {
            long projected = (queryHeads + 2L * keyValueHeads) * headSize;
            long weights = hiddenSize * projected + (long) queryHeads * headSize * hiddenSize;
            long biases = (queryKeyValueBias ? projected : 0) + (outputBias ? hiddenSize : 0);
            return weights + biases + headNorm.parameterCount(this);
        }
    }

    /// Normalization of queries and keys.
    enum HeadNorm {
        NONE,
        /// Each head by itself, weight `[headSize]` (Qwen3).
        PER_HEAD;

        long parameterCount(GroupedQuery attention) {
            return switch (this) {
                case NONE -> 0;
                case PER_HEAD -> 2L * attention.headSize();
            };
        }
    }
}
