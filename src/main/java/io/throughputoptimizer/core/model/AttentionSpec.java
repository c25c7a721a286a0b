package io.throughputoptimizer.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A kind of attention, with the parameters that determine its cost.
public sealed interface AttentionSpec
        permits AttentionSpec.GroupedQuery,
                AttentionSpec.GatedDelta,
                AttentionSpec.MultiHeadLatent,
                AttentionSpec.BlockSparse,
                CompressedSpec,
                HybridSpec {

    /// Returns the parameters of one layer's attention for a residual stream of `hiddenSize`.
    long parameterCount(int hiddenSize);

    /// Returns whether its cache has its own format, which depends on engine, release and device: attention to
    /// selected or compressed tokens.
    boolean cachesInOwnFormat();

    /// Returns the rotated elements of a head, which is the width of the rotary tables; 0 without positions.
    int rotaryWidth();

    /// Returns the correct rotary width where msmodeling has wider tables.
    default int rotatedWidth() {
        return rotaryWidth();
    }

    /// Grouped-query attention: `queryHeads` query heads share `keyValueHeads` key and value heads of
    /// `headSize` elements.
    ///
    /// @param headSize elements of a query and of a key
    /// @param valueSize elements of a value and of a head's result; usually equal to `headSize`
    /// @param rotatedSize elements of a head that are rotated
    /// @param headNorm normalization of queries and keys before the rotation
    /// @param queryKeyValueBias whether the q, k and v projections have biases
    /// @param outputBias whether the output projection has a bias
    /// @param window number of most recent tokens attended to; 0 for all
    /// @param inChunks true if the window does not slide: tokens attend to earlier tokens of the same chunk
    ///     (Llama 4)
    /// @param gatesOutput true if results are gated element by element, by gates projected with the queries
    ///     (Qwen3.5)
    /// @param rotarySections rotated pairs of elements per position axis; empty with one axis
    /// @param rotation rotation of heads
    /// @param projections storage of the projections in checkpoints
    record GroupedQuery(
            int queryHeads,
            int keyValueHeads,
            int headSize,
            int valueSize,
            int rotatedSize,
            HeadNorm headNorm,
            boolean queryKeyValueBias,
            boolean outputBias,
            int window,
            boolean inChunks,
            boolean gatesOutput,
            List<Integer> rotarySections,
            HeadRotation rotation,
            Projections projections)
            implements AttentionSpec {
        public GroupedQuery {
            rotarySections = List.copyOf(rotarySections);
            if (inChunks || window != 0) {
                ModelArchitecture.requireSize("window", window, ModelArchitecture.MAX_POSITIONS);
            }
            ModelArchitecture.requireSize("query heads", queryHeads, ModelArchitecture.MAX_INNER_WIDTH);
            ModelArchitecture.requireSize("key-value heads", keyValueHeads, queryHeads);
            ModelArchitecture.requireSize("head size", headSize, ModelArchitecture.MAX_INNER_WIDTH / queryHeads);
            ModelArchitecture.requireSize("value size", valueSize, ModelArchitecture.MAX_INNER_WIDTH / queryHeads);
            ModelArchitecture.requireSize("rotated size", rotatedSize, headSize);
            if (gatesOutput && valueSize != headSize) {
                throw new IllegalArgumentException("value size is " + valueSize
                        + ": gates of an output are as wide as a query, which is " + headSize);
            }
            if (projections == Projections.KEYS && valueSize != headSize) {
                throw new IllegalArgumentException("value size is " + valueSize
                        + ": values that are keys are as wide as those, which is " + headSize);
            }
            if (queryHeads % keyValueHeads != 0) {
                throw new IllegalArgumentException(
                        "query heads " + queryHeads + " is not a multiple of key-value heads " + keyValueHeads);
            }
        }

        /// Creates attention to all tokens with fully rotated heads.
        public GroupedQuery(
                int queryHeads,
                int keyValueHeads,
                int headSize,
                HeadNorm headNorm,
                boolean queryKeyValueBias,
                boolean outputBias) {
            this(
                    queryHeads,
                    keyValueHeads,
                    headSize,
                    headSize,
                    headSize,
                    headNorm,
                    queryKeyValueBias,
                    outputBias,
                    0,
                    false,
                    false,
                    List.of(),
                    HeadRotation.HALVES,
                    Projections.APART);
        }

        /// Returns a copy with a sliding window.
        public GroupedQuery within(int tokens) {
            return with(valueSize, rotatedSize, tokens, false, gatesOutput, rotarySections, rotation, projections);
        }

        /// Returns a copy with attention within chunks of tokens.
        public GroupedQuery chunked(int tokens) {
            return with(valueSize, rotatedSize, tokens, true, gatesOutput, rotarySections, rotation, projections);
        }

        /// Returns a copy with another number of rotated elements per head.
        public GroupedQuery rotating(int elements) {
            return with(valueSize, elements, window, inChunks, gatesOutput, rotarySections, rotation, projections);
        }

        /// Returns a copy with gated results and positions along several axes.
        public GroupedQuery gated(List<Integer> sections) {
            return with(valueSize, rotatedSize, window, inChunks, true, sections, rotation, projections);
        }

        /// Returns a copy with another rotation of heads.
        public GroupedQuery turning(HeadRotation otherwise) {
            return with(valueSize, rotatedSize, window, inChunks, gatesOutput, rotarySections, otherwise, projections);
        }

        /// Returns a copy with another storage of projections.
        public GroupedQuery projecting(Projections otherwise) {
            return with(valueSize, rotatedSize, window, inChunks, gatesOutput, rotarySections, rotation, otherwise);
        }

        /// Returns a copy with another number of elements per value.
        public GroupedQuery valued(int elements) {
            return with(elements, rotatedSize, window, inChunks, gatesOutput, rotarySections, rotation, projections);
        }

        private GroupedQuery with(
                int values,
                int rotated,
                int tokens,
                boolean chunks,
                boolean gates,
                List<Integer> sections,
                HeadRotation turn,
                Projections held) {
            return new GroupedQuery(
                    queryHeads,
                    keyValueHeads,
                    headSize,
                    values,
                    rotated,
                    headNorm,
                    queryKeyValueBias,
                    outputBias,
                    tokens,
                    chunks,
                    gates,
                    sections,
                    turn,
                    held);
        }

        /// Returns whether queries, keys and values are one weight.
        public boolean joined() {
            return projections == Projections.JOINED;
        }

        /// Returns whether values are the keys before their norm, without their own projection.
        public boolean takesKeysAsValues() {
            return projections == Projections.KEYS;
        }

        /// Returns whether values and keys have different numbers of elements.
        public boolean valuesDiffer() {
            return valueSize != headSize;
        }

        /// Returns whether only a part of each head is rotated.
        public boolean rotatesInPart() {
            return rotatedSize < headSize;
        }

        /// Returns whether some passes concatenate heads from rotated and other parts.
        public boolean joinsHeads() {
            return rotatesInPart() || rotation == HeadRotation.PAIRS || rotation == HeadRotation.HALVES_IN_PARTS;
        }

        /// Returns whether attention is limited to the most recent tokens.
        public boolean slides() {
            return window != 0;
        }

        @Override
        public long parameterCount(int hiddenSize) {
            long queries = gatesOutput ? 2L * queryHeads : queryHeads;
            long values = takesKeysAsValues() ? 0 : (long) keyValueHeads * valueSize;
            long projected = (queries + keyValueHeads) * headSize + values;
            long weights = hiddenSize * projected + (long) queryHeads * valueSize * hiddenSize;
            long biases = (queryKeyValueBias ? projected : 0) + (outputBias ? hiddenSize : 0);
            return weights + biases + headNorm.parameterCount(this);
        }

        @Override
        public boolean cachesInOwnFormat() {
            return false;
        }

        @Override
        public int rotaryWidth() {
            return rotatedSize;
        }
    }

    /// Linear attention by the gated delta rule: a state per value head instead of a cache, after a short
    /// convolution over queries, keys and values. Each key head is shared by the same number of value heads.
    ///
    /// @param keyHeads heads of queries and keys
    /// @param valueHeads heads of values, each with a state of `[size, size]`
    /// @param size elements of a query, key or value
    /// @param kernel width of the convolution
    /// @param opaque true if msmodeling prices the block as one operator without weights, equal on every rank
    /// @param forgetsByChannel true if the channels of a head decay at individual rates (Kimi delta attention),
    ///     with as many key heads as value heads
    /// @param gatesNarrowly true if gates of results pass through a vector as wide as a head too (Kimi-Linear)
    record GatedDelta(
            int keyHeads,
            int valueHeads,
            int size,
            int kernel,
            boolean opaque,
            boolean forgetsByChannel,
            boolean gatesNarrowly)
            implements AttentionSpec {
        public static final int MAX_KERNEL = 1000;

        /// Creates layers whose gates of results are projected at once.
        public GatedDelta(
                int keyHeads, int valueHeads, int size, int kernel, boolean opaque, boolean forgetsByChannel) {
            this(keyHeads, valueHeads, size, kernel, opaque, forgetsByChannel, false);
        }

        public GatedDelta {
            ModelArchitecture.requireSize("head size", size, ModelArchitecture.MAX_HIDDEN_SIZE);
            ModelArchitecture.requireSize("value heads", valueHeads, ModelArchitecture.MAX_INNER_WIDTH / size);
            ModelArchitecture.requireSize("key heads", keyHeads, valueHeads);
            ModelArchitecture.requireSize("kernel", kernel, MAX_KERNEL);
            if (valueHeads % keyHeads != 0) {
                throw new IllegalArgumentException(
                        "value heads " + valueHeads + " is not a multiple of key heads " + keyHeads);
            }
        }

        /// Returns the width of queries, keys and values together.
        public int channels() {
            return (2 * keyHeads + valueHeads) * size;
        }

        /// Counts projections, convolution, the two gate vectors and the norm of a head. Channel rates use two
        /// projections through a vector as wide as a head.
        @Override
        public long parameterCount(int hiddenSize) {
            long values = (long) valueHeads * size;
            long gates = forgetsByChannel ? valueHeads + size : 2L * valueHeads;
            long outputGates = gatesNarrowly ? size * (hiddenSize + values) : hiddenSize * values;
            return hiddenSize * (channels() + values + gates)
                    + outputGates
                    + (forgetsByChannel ? size * values : 0)
                    + (long) channels() * kernel
                    + 2L * valueHeads
                    + size;
        }

        @Override
        public boolean cachesInOwnFormat() {
            return false;
        }

        @Override
        public int rotaryWidth() {
            return 0;
        }
    }

    /// Multi-head latent attention: queries, and keys with values, pass through a narrow projection each. The
    /// cache holds only the narrow keys and values and one rotated key shared by all heads.
    ///
    /// @param heads query heads
    /// @param queryRank width of the compressed query; 0 where queries are not compressed
    /// @param keyValueRank width of the compressed keys and values
    /// @param head widths inside a head
    /// @param indexer selection of the tokens attended to; null for all
    /// @param gatesOutput true if results are gated element by element, by gates with their own projection
    ///     (Kimi-K3)
    record MultiHeadLatent(
            int heads,
            int queryRank,
            int keyValueRank,
            LatentHead head,
            @Nullable Indexer indexer,
            boolean gatesOutput) implements AttentionSpec {
        /// Creates latent attention without gates.
        public MultiHeadLatent(int heads, int queryRank, int keyValueRank, LatentHead head, @Nullable Indexer indexer) {
            this(heads, queryRank, keyValueRank, head, indexer, false);
        }

        public MultiHeadLatent {
            ModelArchitecture.requireSize("heads", heads, ModelArchitecture.MAX_INNER_WIDTH / head.widest());
            if (queryRank != 0) {
                ModelArchitecture.requireSize("query rank", queryRank, ModelArchitecture.MAX_HIDDEN_SIZE);
            }
            ModelArchitecture.requireSize("key-value rank", keyValueRank, ModelArchitecture.MAX_HIDDEN_SIZE);
        }

        /// Returns the width of a cache entry: compressed keys and values, and the rotated key.
        public int entryWidth() {
            return keyValueRank + head.rotated();
        }

        @Override
        public long parameterCount(int hiddenSize) {
            long queries = (long) heads * head.query();
            long query = queryRank == 0 ? hiddenSize * queries : queryRank * (hiddenSize + queries);
            long keyValue =
                    (long) hiddenSize * entryWidth() + (long) keyValueRank * heads * (head.plain() + head.value());
            long output = (gatesOutput ? 2L : 1L) * heads * head.value() * hiddenSize;
            long selection = indexer == null ? 0 : indexer.parameterCount(hiddenSize, queryRank);
            return query + keyValue + output + queryRank + keyValueRank + selection;
        }

        @Override
        public boolean cachesInOwnFormat() {
            return indexer != null;
        }

        @Override
        public int rotaryWidth() {
            return head.rotated();
        }
    }

    /// Grouped-query attention to the token blocks selected by an indexer, or to all without one. Queries and
    /// keys are normalized per head and partly rotated, in one operator (MiniMax-M3).
    ///
    /// @param queryHeads query heads
    /// @param keyValueHeads key and value heads, each shared by the same number of query heads
    /// @param headSize elements of a head
    /// @param rotatedSize rotated elements of a head, index heads included
    /// @param indexer selection of the blocks attended to; null for all
    record BlockSparse(
            int queryHeads,
            int keyValueHeads,
            int headSize,
            int rotatedSize,
            @Nullable BlockIndexer indexer) implements AttentionSpec {
        public BlockSparse {
            ModelArchitecture.requireSize("query heads", queryHeads, ModelArchitecture.MAX_INNER_WIDTH);
            ModelArchitecture.requireSize("key-value heads", keyValueHeads, queryHeads);
            ModelArchitecture.requireSize("head size", headSize, ModelArchitecture.MAX_INNER_WIDTH / queryHeads);
            ModelArchitecture.requireSize("rotated size", rotatedSize, headSize);
            if (queryHeads % keyValueHeads != 0) {
                throw new IllegalArgumentException(
                        "query heads " + queryHeads + " is not a multiple of key-value heads " + keyValueHeads);
            }
        }

        @Override
        public long parameterCount(int hiddenSize) {
            long projected = (queryHeads + 2L * keyValueHeads) * headSize;
            long weights = hiddenSize * projected + (long) queryHeads * headSize * hiddenSize;
            long norms = 2L * headSize;
            return weights + norms + (indexer == null ? 0 : indexer.parameterCount(hiddenSize));
        }

        @Override
        public boolean cachesInOwnFormat() {
            return indexer != null;
        }

        @Override
        public int rotaryWidth() {
            return rotatedSize;
        }
    }

    /// Selection of the token blocks of sparse attention, which always include the token's own block. All index
    /// heads share the index key.
    ///
    /// @param heads index heads
    /// @param headSize elements of an index head
    /// @param blockTokens tokens of a block
    /// @param selectedBlocks maximum number of blocks attended to
    record BlockIndexer(int heads, int headSize, int blockTokens, int selectedBlocks) {
        public BlockIndexer {
            ModelArchitecture.requireSize("index head size", headSize, ModelArchitecture.MAX_HIDDEN_SIZE);
            ModelArchitecture.requireSize("index heads", heads, ModelArchitecture.MAX_INNER_WIDTH / headSize);
            ModelArchitecture.requireSize("tokens of a block", blockTokens, ModelArchitecture.MAX_POSITIONS);
            ModelArchitecture.requireSize(
                    "selected blocks", selectedBlocks, ModelArchitecture.MAX_POSITIONS / blockTokens);
        }

        /// Returns the maximum number of tokens attended to.
        public int selectedTokens() {
            return selectedBlocks * blockTokens;
        }

        /// Counts the projections of queries and key, and a norm of each.
        private long parameterCount(int hiddenSize) {
            return (long) hiddenSize * (heads + 1) * headSize + 2L * headSize;
        }
    }

    /// Widths inside a head of latent attention.
    ///
    /// @param plain elements of query and key without rotation
    /// @param rotated elements of query and key with rotation
    /// @param value elements of a value
    record LatentHead(int plain, int rotated, int value) {
        public static final int MAX_WIDTH = ModelArchitecture.MAX_HIDDEN_SIZE;

        public LatentHead {
            ModelArchitecture.requireSize("plain width", plain, MAX_WIDTH);
            ModelArchitecture.requireSize("rotated width", rotated, MAX_WIDTH);
            ModelArchitecture.requireSize("value width", value, MAX_WIDTH);
        }

        /// Returns the elements of a query.
        public int query() {
            return plain + rotated;
        }

        private int widest() {
            return plain + rotated + value;
        }
    }

    /// Selection of the tokens of sparse attention.
    ///
    /// @param heads index heads, on every rank
    /// @param headSize elements of an index head
    /// @param selectedTokens maximum number of tokens attended to
    /// @param reused true if the layer has no indexer and takes the selection of an earlier layer
    record Indexer(int heads, int headSize, int selectedTokens, boolean reused) {
        /// Returns the indexer of a later layer that reuses the selection.
        public Indexer reusing() {
            return new Indexer(heads, headSize, selectedTokens, true);
        }

        public Indexer {
            ModelArchitecture.requireSize("index head size", headSize, ModelArchitecture.MAX_HIDDEN_SIZE);
            ModelArchitecture.requireSize("index heads", heads, ModelArchitecture.MAX_INNER_WIDTH / headSize);
            ModelArchitecture.requireSize("selected tokens", selectedTokens, ModelArchitecture.MAX_POSITIONS);
        }

        private long parameterCount(int hiddenSize, int queryRank) {
            return reused
                    ? 0
                    : (long) queryRank * heads * headSize + (long) hiddenSize * (headSize + heads) + 2L * headSize;
        }
    }

    /// Storage of the projections of queries, keys, values and output in checkpoints, and their treatment by
    /// msmodeling.
    enum Projections {
        /// One weight each.
        APART,
        /// Queries, keys and values in one weight, which msmodeling keeps whole on every tensor parallel rank
        /// (Phi).
        JOINED,
        /// In a class that comes with the checkpoint (Ling). msmodeling splits copies and keeps the originals
        /// too, and passes neither the cache nor the request lengths to attention: all tokens of a pass attend
        /// to each other and to nothing before.
        COPIED,
        /// One weight each for queries and keys; values are keys before their norm (Gemma 4). Both are cached.
        KEYS
    }

    /// Normalization of queries and keys.
    enum HeadNorm {
        NONE,
        /// Per head, weight `[headSize]` (Qwen3).
        PER_HEAD,
        /// Per head as [#PER_HEAD], values too, which have no weight (Gemma 4).
        PER_HEAD_AND_VALUE,
        /// Over all heads, weights `[queryHeads headSize]` and `[keyValueHeads headSize]` (MiniMax).
        ACROSS_HEADS;

        long parameterCount(GroupedQuery attention) {
            return switch (this) {
                case NONE -> 0;
                case PER_HEAD, PER_HEAD_AND_VALUE -> 2L * attention.headSize();
                case ACROSS_HEADS -> (attention.queryHeads() + (long) attention.keyValueHeads()) * attention.headSize();
            };
        }
    }
}
