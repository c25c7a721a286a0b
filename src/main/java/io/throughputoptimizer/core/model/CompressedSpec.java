package io.throughputoptimizer.core.model;

/// Attention to a window of the most recent tokens and to a compressed rest (DeepSeek-V4): one head of keys,
/// which are the values as well, is shared by all query heads. Queries and results pass through narrow
/// projections; results by groups of heads.
///
/// @param heads query heads, each with a weight for attending to nothing (a sink)
/// @param headSize elements of a query, and of an entry of the cache
/// @param rotated elements of these that are rotated
/// @param queryRank width of the compressed query
/// @param output how results are projected
/// @param window most recent tokens that are attended to one by one
/// @param compression what becomes of the others
/// @param indexer of the model: layers with [Compression#FINE] select entries by it
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

    /// Results are projected by groups of heads, each to its own narrow vector, and these together to the
    /// residual stream.
    ///
    /// @param groups of heads
    /// @param rank width of a group's vector
    public record Output(int groups, int rank) {
        public Output {
            ModelArchitecture.requireSize("output rank", rank, ModelArchitecture.MAX_HIDDEN_SIZE);
            ModelArchitecture.requireSize("output groups", groups, ModelArchitecture.MAX_INNER_WIDTH / rank);
        }
    }

    /// What becomes of tokens before the window.
    public enum Compression {
        /// They are forgotten.
        NONE(0, 0),
        /// An entry for 4 of them, made of these and the 4 before; an indexer selects some.
        FINE(4, 2),
        /// An entry for 128 of them; all are attended to.
        COARSE(128, 1);

        private final int ratio;
        private final int sets;

        Compression(int ratio, int sets) {
            this.ratio = ratio;
            this.sets = sets;
        }

        /// Tokens of an entry; 0 where there is none.
        public int ratio() {
            return ratio;
        }

        /// Vectors that each token contributes to entries: 2 where entries overlap.
        public int sets() {
            return sets;
        }
    }

    /// The same with another compression.
    public CompressedSpec with(Compression other) {
        return new CompressedSpec(heads, headSize, rotated, queryRank, output, window, other, indexer);
    }

    /// Projections, inner norms, sinks, and the compressor's vectors and gates with their positions and norm;
    /// where there is an indexer its projections and its own compressor.
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

    /// The reference looks rotary factors up in tables as wide as a head.
    @Override
    public int rotaryWidth() {
        return headSize;
    }

    @Override
    public int rotatedWidth() {
        return rotated;
    }
}
