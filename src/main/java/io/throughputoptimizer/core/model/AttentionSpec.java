package io.throughputoptimizer.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Kind of attention, by what its cost depends on.
public sealed interface AttentionSpec
        permits AttentionSpec.GroupedQuery,
                AttentionSpec.GatedDelta,
                AttentionSpec.MultiHeadLatent,
                AttentionSpec.BlockSparse,
                CompressedSpec {

    /// Parameters of one layer's attention for a residual stream of `hiddenSize`.
    long parameterCount(int hiddenSize);

    /// Whether its cache has a format of its own, which goes by engine, release and device: that of attention to
    /// selected or compressed tokens.
    boolean cachesInOwnFormat();

    /// Elements of a head that are rotated: the width of the rotary tables; 0 where positions do not matter.
    int rotaryWidth();

    /// The same as it should be, where the reference has wider tables.
    default int rotatedWidth() {
        return rotaryWidth();
    }

    /// Attention with `queryHeads` query heads sharing `keyValueHeads` key and value heads of `headSize` each.
    ///
    /// @param headSize elements of a query and of a key
    /// @param valueSize elements of a value, and of a head's result; mostly as many
    /// @param rotatedSize elements of a head that are rotated
    /// @param headNorm whether queries and keys are normalized before the rotation, and over what
    /// @param queryKeyValueBias whether the q, k and v projections have biases
    /// @param outputBias whether the output projection has a bias
    /// @param window most recent tokens that are attended to; 0 when all are
    /// @param inChunks whether the window does not slide: tokens attend to those before them in the same run of
    /// as many (Llama 4)
    /// @param gatesOutput whether results are gated element by element, by gates projected beside the queries
    /// (Qwen3.5)
    /// @param rotarySections rotated pairs of elements by the axis of the positions that they turn by; empty with
    /// one axis
    /// @param rotation how heads are turned
    /// @param projections how checkpoints hold the projections
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

        /// Attention to all tokens, whose heads are rotated whole.
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

        /// The same attention within a window of the most recent tokens.
        public GroupedQuery within(int tokens) {
            return with(valueSize, rotatedSize, tokens, false, gatesOutput, rotarySections, rotation, projections);
        }

        /// The same attention within chunks of tokens.
        public GroupedQuery chunked(int tokens) {
            return with(valueSize, rotatedSize, tokens, true, gatesOutput, rotarySections, rotation, projections);
        }

        /// The same attention with so many elements of a head rotated.
        public GroupedQuery rotating(int elements) {
            return with(valueSize, elements, window, inChunks, gatesOutput, rotarySections, rotation, projections);
        }

        /// The same attention with a gate of its results and positions along several axes.
        public GroupedQuery gated(List<Integer> sections) {
            return with(valueSize, rotatedSize, window, inChunks, true, sections, rotation, projections);
        }

        /// The same attention whose heads are turned otherwise.
        public GroupedQuery turning(HeadRotation otherwise) {
            return with(valueSize, rotatedSize, window, inChunks, gatesOutput, rotarySections, otherwise, projections);
        }

        /// The same attention with projections that checkpoints hold otherwise.
        public GroupedQuery projecting(Projections otherwise) {
            return with(valueSize, rotatedSize, window, inChunks, gatesOutput, rotarySections, rotation, otherwise);
        }

        /// The same attention with values of so many elements.
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

        /// Whether queries, keys and values are one weight.
        public boolean joined() {
            return projections == Projections.JOINED;
        }

        /// Whether values are what keys are before their norm, without a projection of their own.
        public boolean takesKeysAsValues() {
            return projections == Projections.KEYS;
        }

        /// Whether values have another number of elements than keys.
        public boolean valuesDiffer() {
            return valueSize != headSize;
        }

        /// Whether a part of each head is left as it is.
        public boolean rotatesInPart() {
            return rotatedSize < headSize;
        }

        /// Whether heads are put together again of what is turned and the rest, in some passes at least.
        public boolean joinsHeads() {
            return rotatesInPart() || rotation == HeadRotation.PAIRS || rotation == HeadRotation.HALVES_IN_PARTS;
        }

        /// Whether only the most recent tokens are attended to.
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

    /// Linear attention by the gated delta rule: a state for each value head in place of a cache, after a short
    /// convolution over queries, keys and values. Each key head is shared by the same number of value heads.
    ///
    /// @param keyHeads heads of queries and keys
    /// @param valueHeads heads of values, each with a state of `[size, size]`
    /// @param size elements of a query, key or value
    /// @param kernel width of the convolution
    /// @param opaque whether the reference prices the block as one operator without weights, on every rank alike
    /// @param forgetsByChannel whether channels of a head decay each at its own rate (Kimi delta
    ///     attention), with as many key heads as value heads
    record GatedDelta(int keyHeads, int valueHeads, int size, int kernel, boolean opaque, boolean forgetsByChannel)
            implements AttentionSpec {
        public static final int MAX_KERNEL = 1000;

        /// Whose heads decay as a whole.
        public GatedDelta(int keyHeads, int valueHeads, int size, int kernel, boolean opaque) {
            this(keyHeads, valueHeads, size, kernel, opaque, false);
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

        /// Width of queries, keys and values together.
        public int channels() {
            return (2 * keyHeads + valueHeads) * size;
        }

        /// Projections, convolution, the two vectors of its gates and the norm of a head. Rates of
        /// channels are projected twice, through a vector as wide as a head.
        @Override
        public long parameterCount(int hiddenSize) {
            long values = (long) valueHeads * size;
            long gates = forgetsByChannel ? valueHeads + size : 2L * valueHeads;
            return hiddenSize * (channels() + 2 * values + gates)
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

    /// Multi-head latent attention: queries, and keys with values, pass through a narrow projection each; only the
    /// narrow keys and values are cached, beside one rotated key that all heads share.
    ///
    /// @param heads query heads
    /// @param queryRank width of the compressed query
    /// @param keyValueRank width of the compressed keys and values
    /// @param head widths inside a head
    /// @param indexer selects the tokens attended to; absent when all are
    /// @param gatesOutput whether results are gated element by element, by gates with a projection
    ///     of their own (Kimi-K3)
    record MultiHeadLatent(
            int heads,
            int queryRank,
            int keyValueRank,
            LatentHead head,
            @Nullable Indexer indexer,
            boolean gatesOutput) implements AttentionSpec {
        /// Without gates.
        public MultiHeadLatent(int heads, int queryRank, int keyValueRank, LatentHead head, @Nullable Indexer indexer) {
            this(heads, queryRank, keyValueRank, head, indexer, false);
        }

        public MultiHeadLatent {
            ModelArchitecture.requireSize("heads", heads, ModelArchitecture.MAX_INNER_WIDTH / head.widest());
            ModelArchitecture.requireSize("query rank", queryRank, ModelArchitecture.MAX_HIDDEN_SIZE);
            ModelArchitecture.requireSize("key-value rank", keyValueRank, ModelArchitecture.MAX_HIDDEN_SIZE);
        }

        /// Width of a cache entry: compressed keys and values, and the rotated key.
        public int entryWidth() {
            return keyValueRank + head.rotated();
        }

        @Override
        public long parameterCount(int hiddenSize) {
            long query = (long) hiddenSize * queryRank + (long) queryRank * heads * head.query();
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

    /// Grouped-query attention to the blocks of tokens that an indexer selects, or, without an indexer, to all of
    /// them. Queries and keys are normalized head by head, and a part of each head is rotated, in one operator
    /// (MiniMax-M3).
    ///
    /// @param queryHeads query heads
    /// @param keyValueHeads key and value heads, each shared by the same number of query heads
    /// @param headSize elements of a head
    /// @param rotatedSize elements of a head that are rotated, of index heads too
    /// @param indexer selects the blocks attended to; absent when all are
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

    /// Selection of the blocks of tokens that sparse attention attends to, that of the token itself among them.
    /// The index key is shared by all index heads.
    ///
    /// @param heads index heads
    /// @param headSize elements of an index head
    /// @param blockTokens tokens of a block
    /// @param selectedBlocks most blocks attended to
    record BlockIndexer(int heads, int headSize, int blockTokens, int selectedBlocks) {
        public BlockIndexer {
            ModelArchitecture.requireSize("index head size", headSize, ModelArchitecture.MAX_HIDDEN_SIZE);
            ModelArchitecture.requireSize("index heads", heads, ModelArchitecture.MAX_INNER_WIDTH / headSize);
            ModelArchitecture.requireSize("tokens of a block", blockTokens, ModelArchitecture.MAX_POSITIONS);
            ModelArchitecture.requireSize(
                    "selected blocks", selectedBlocks, ModelArchitecture.MAX_POSITIONS / blockTokens);
        }

        /// Most tokens attended to.
        public int selectedTokens() {
            return selectedBlocks * blockTokens;
        }

        /// Projections of queries and key, and a norm of each.
        private long parameterCount(int hiddenSize) {
            return (long) hiddenSize * (heads + 1) * headSize + 2L * headSize;
        }
    }

    /// Widths inside a head of latent attention.
    ///
    /// @param plain elements of query and key that are not rotated
    /// @param rotated elements that are
    /// @param value elements of a value
    record LatentHead(int plain, int rotated, int value) {
        public static final int MAX_WIDTH = ModelArchitecture.MAX_HIDDEN_SIZE;

        public LatentHead {
            ModelArchitecture.requireSize("plain width", plain, MAX_WIDTH);
            ModelArchitecture.requireSize("rotated width", rotated, MAX_WIDTH);
            ModelArchitecture.requireSize("value width", value, MAX_WIDTH);
        }

        /// Elements of a query.
        public int query() {
            return plain + rotated;
        }

        private int widest() {
            return plain + rotated + value;
        }
    }

    /// Selection of the tokens that sparse attention attends to.
    ///
    /// @param heads index heads, on every rank
    /// @param headSize elements of an index head
    /// @param selectedTokens most tokens attended to
    /// @param reused whether the selection is that of a layer before, and the layer has no indexer
    ///     of its own
    record Indexer(int heads, int headSize, int selectedTokens, boolean reused) {
        /// Of the layer's own.
        public Indexer(int heads, int headSize, int selectedTokens) {
            this(heads, headSize, selectedTokens, false);
        }

        /// The same selection in a layer behind.
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

    /// How checkpoints hold the projections of queries, keys, values and output, and what the reference makes of it.
    enum Projections {
        /// Each a weight of its own.
        APART,
        /// Queries, keys and values in one weight, which the reference leaves whole on every tensor parallel rank
        /// (Phi).
        JOINED,
        /// In a class that comes with the checkpoint (Ling). The reference splits copies and keeps the originals
        /// beside them, and hands attention neither the cache nor the lengths of requests: all tokens of a pass
        /// attend to each other and to nothing before.
        COPIED,
        /// Queries and keys each a weight of its own; values are keys before their norm (Gemma 4). Both are cached.
        KEYS
    }

    /// Normalization of queries and keys.
    enum HeadNorm {
        NONE,
        /// Each head by itself, weight `[headSize]` (Qwen3).
        PER_HEAD,
        /// The same, and values head by head too, without a weight (Gemma 4).
        PER_HEAD_AND_VALUE,
        /// All heads together, weights `[queryHeads headSize]` and `[keyValueHeads headSize]` (MiniMax).
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
