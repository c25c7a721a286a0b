package io.throughputoptimizer.core.model;

/// Attention to a window of the most recent tokens and to a compressed rest (DeepSeek-V4). One key head, whose
/// keys are also the values, is shared by all query heads. Queries and results pass through narrow projections;
/// results by groups of heads.
///
/// @param heads query heads, each with a sink weight
/// @param headSize elements of a query, and of an entry of the cache
/// @param rotated rotated elements of a head
/// @param queryRank width of the compressed query
/// @param output projection of results
/// @param window number of most recent tokens attended to individually
/// @param compression compression of older tokens
/// @param indexer indexer of the model, which selects entries in layers with [Compression#FINE]
public record CompressedSpec(
        int heads,
        int headSize,
        int rotated,
        int queryRank,
        Output output,
        int window,
        Compression compression,
        AttentionSpec.Indexer indexer)
        implements AttentionSpec {
    public CompressedSpec {
        ModelArchitecture.requireSize("head size", headSize, ModelArchitecture.MAX_HIDDEN_SIZE);
        ModelArchitecture.requireSize("heads", heads, ModelArchitecture.MAX_INNER_WIDTH / headSize);
        ModelArchitecture.requireSize("rotated size", rotated, headSize);
        ModelArchitecture.requireSize("query rank", queryRank, ModelArchitecture.MAX_HIDDEN_SIZE);
        ModelArchitecture.requireSize("window", window, ModelArchitecture.MAX_POSITIONS);
        if (heads % output.groups() != 0) {
            throw new IllegalArgumentException(
                    "heads " + heads + " is not a multiple of output groups " + output.groups());
        }
    }

    /// Output projection by groups of heads: each group to its own narrow vector, and all vectors to the
    /// residual stream.
    ///
    /// @param groups number of groups of heads
    /// @param rank width of a group's vector
    public record Output(int groups, int rank) {
        public Output {
            ModelArchitecture.requireSize("output rank", rank, ModelArchitecture.MAX_HIDDEN_SIZE);
            ModelArchitecture.requireSize("output groups", groups, ModelArchitecture.MAX_INNER_WIDTH / rank);
        }
    }

    /// Compression of tokens before the window.
    public enum Compression {
        /// Older tokens are dropped.
        NONE(0, 0),
        /// One entry per 4 tokens, made of these and the 4 before; an indexer selects entries.
        FINE(4, 2),
        /// One entry per 128 tokens; all are attended to.
        COARSE(128, 1);

        private final int ratio;
        private final int sets;

        Compression(int ratio, int sets) {
            this.ratio = ratio;
            this.sets = sets;
        }

        /// Returns the tokens per entry; 0 without entries.
        public int ratio() {
            return ratio;
        }

        /// Returns the number of entries each token contributes to: 2 if entries overlap.
        public int sets() {
            return sets;
        }
    }

    /// Returns a copy with another compression.
    public CompressedSpec with(Compression other) {
        return new CompressedSpec(heads, headSize, rotated, queryRank, output, window, other, indexer);
    }

    /// Counts projections, inner norms, sinks, and the compressor's vectors and gates with their positions and
    /// norm; with an indexer also its projections and compressor.
    @Override
    public long parameterCount(int hiddenSize) {
        long query = (long) hiddenSize * queryRank + queryRank + (long) queryRank * heads * headSize;
        long entry = (long) hiddenSize * headSize + headSize;
        long result = (long) heads * headSize * output.rank() + (long) output.groups() * output.rank() * hiddenSize;
        long selection = compression == Compression.FINE
                ? (long) queryRank * indexer.heads() * indexer.headSize()
                        + (long) hiddenSize * indexer.heads()
                        + compressorParameters(hiddenSize, indexer.headSize())
                : 0;
        return query + entry + result + heads + compressorParameters(hiddenSize, headSize) + selection;
    }

    private long compressorParameters(int hiddenSize, int width) {
        long vectors = (long) compression.sets() * width;
        return compression == Compression.NONE ? 0 : 2L * hiddenSize * vectors + compression.ratio() * vectors + width;
    }

    @Override
    public boolean cachesInOwnFormat() {
        return true;
    }

    /// Returns the head size, since msmodeling uses rotary tables as wide as a head.
    @Override
    public int rotaryWidth() {
        return headSize;
    }

    @Override
    public int rotatedWidth() {
        return rotated;
    }
}
