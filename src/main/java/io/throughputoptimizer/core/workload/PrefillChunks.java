package io.throughputoptimizer.core.workload;

/// A prompt cut into pieces of `maxBatchedTokens`, the last holding the rest. The first chunk starts at zero even
/// with a prefix cache, whose tokens count in no context.
///
/// @param effectiveLength tokens to compute
/// @param maxBatchedTokens token budget of one pass, the largest chunk
public record PrefillChunks(int effectiveLength, int maxBatchedTokens) {

    /// One piece of a prompt.
    ///
    /// @param index place from 0
    /// @param queryLength tokens of the piece
    /// @param sequenceLength tokens up to its end
    public record Chunk(int index, int queryLength, int sequenceLength) {}

    public PrefillChunks {
        if (effectiveLength <= 0) {
            throw new IllegalArgumentException(
                    "effective input length is " + effectiveLength + ": a positive whole number is needed");
        }
        if (maxBatchedTokens <= 0) {
            throw new IllegalArgumentException(
                    "max batched tokens is " + maxBatchedTokens + ": a positive whole number is needed");
        }
    }

    /// Returns the number of chunks: `ceil(effectiveLength / maxBatchedTokens)`.
    public int count() {
        return Math.ceilDiv(effectiveLength, maxBatchedTokens);
    }

    /// Returns the chunk at `index`, which runs from 0 to [#count()] exclusive.
    public Chunk chunk(int index) {
        if (index < 0 || index >= count()) {
            throw new IndexOutOfBoundsException("chunk " + index + " of " + count());
        }
        long start = (long) index * maxBatchedTokens;
        int queryLength = (int) Math.min(maxBatchedTokens, effectiveLength - start);
        return new Chunk(index, queryLength, (int) (start + queryLength));
    }
}
