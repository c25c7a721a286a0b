package io.throughputoptimizer.core.memory;

import io.throughputoptimizer.core.memory.DeviceMemory.Kind;
import io.throughputoptimizer.core.memory.MemoryModel.DeltaHeads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// KV cache of vLLM: one pool of equal blocks, which groups of layers share.
///
/// `n_j` layers of each kind form `ceil(n_j/size)` groups, where `size` is the largest `n_j` if that is below 1.5 times
/// the smallest, else the smallest. A block of the pool has the pages of `size` layers.
///
/// @param blockBytes bytes of a block of the pool
/// @param groups groups of layers; each takes blocks of its own
/// @param tokenBudget most tokens of a step, `T`
/// @param context most tokens of a request, `N`
/// @param printsConcurrency whether the log's tokens are those of the printed concurrency
record BlockPool(double blockBytes, List<Group> groups, int tokenBudget, long context, boolean printsConcurrency)
        implements KvCache {
    private static final int BLOCK_TOKENS = 16;
    private static final int LATENT_BLOCK_TOKENS = 64;
    private static final double ALIKE = 1.5;

    /// Retention of the entries of a layer.
    private enum Span {
        FULL,
        SLIDING,
        CHUNKED,
        STATE
    }

    /// Layers that share blocks.
    ///
    /// @param tokens tokens of a block
    /// @param window most recent tokens that are kept; 0 where all are
    /// @param states blocks of a request, of recurrent states only
    private record Group(Span span, long tokens, long window, int states) {

        /// Returns the blocks of a request after its prefill.
        private long held(long length) {
            return switch (span) {
                case FULL -> Math.ceilDiv(length, tokens);
                case SLIDING -> Math.ceilDiv(Math.min(window, length), tokens) + 1;
                case CHUNKED -> Math.ceilDiv(Math.min(window, length), tokens);
                case STATE -> states;
            };
        }

        /// Returns the blocks that the engine reserves to admit a request.
        private long admitted(long length, int tokenBudget) {
            return switch (span) {
                case SLIDING -> Math.ceilDiv(Math.min(window - 1 + tokenBudget, length), tokens) + 1;
                case CHUNKED -> Math.ceilDiv(Math.min(window + tokenBudget, length), tokens);
                case FULL, STATE -> held(length);
            };
        }
    }

    /// Layers of one kind.
    ///
    /// @param page bytes of a block
    private record Layers(Group group, long page, long count) {}

    /// Returns the pool of a rank.
    ///
    /// @throws MemoryNotSpecifiedException if pages of its layers have no common multiple
    static BlockPool of(ServedRank rank) {
        MemoryModel model = rank.model();
        if (model.compressed) {
            return ofCompressed(rank);
        }
        List<Layers> layers = layers(rank);
        long smallest = layers.stream().mapToLong(Layers::count).min().orElseThrow();
        long largest = layers.stream().mapToLong(Layers::count).max().orElseThrow();
        long size = largest < ALIKE * smallest ? largest : smallest;
        List<Group> groups = new ArrayList<>();
        for (Layers kind : layers) {
            groups.addAll(Collections.nCopies((int) Math.ceilDiv(kind.count, size), kind.group));
        }
        return of(rank, (double) layers.getFirst().page * size, groups);
    }

    private static BlockPool of(ServedRank rank, double blockBytes, List<Group> groups) {
        return new BlockPool(
                blockBytes,
                List.copyOf(groups),
                rank.tokenBudget(),
                rank.context(),
                rank.parameters().printsConcurrency());
    }

    private static List<Layers> layers(ServedRank rank) {
        MemoryModel model = rank.model();
        int drafting = rank.draftTokens() > 0 ? model.draftLayers : 0;
        if (model.latent && !model.delta) {
            Group all = full(LATENT_BLOCK_TOKENS);
            return List.of(new Layers(all, LATENT_BLOCK_TOKENS * latentBytes(rank), model.layers + drafting));
        }
        return model.delta ? withStates(rank, drafting) : withWindows(rank, drafting);
    }

    private static Group full(long tokens) {
        return new Group(Span.FULL, tokens, 0, 0);
    }

    /// Returns `(kv_lora + rope) e`; with an index 656 for FP8, and 132 for each 128 of its width.
    private static long latentBytes(ServedRank rank) {
        MemoryModel model = rank.model();
        int element = rank.cacheBytes();
        boolean packed = model.indexed && element == 1;
        long latent = packed ? 656 : (model.positive("kv_lora_rank") + model.positive("qk_rope_head_dim")) * element;
        return latent + (model.indexed ? model.positive("index_head_dim") / 128 * 132 : 0);
    }

    /// Returns `2 kv D e`, with at least one KV head on a rank.
    private static long tokenBytes(ServedRank rank, long heads, long width) {
        return 2 * Math.max(heads / rank.tp(), 1) * width * rank.cacheBytes();
    }

    /// Returns layers for a model with recurrent states, which set the block of the full layers: both get a
    /// page as large as a state.
    private static List<Layers> withStates(ServedRank rank, int drafting) {
        MemoryModel model = rank.model();
        long token = model.latent ? latentBytes(rank) : tokenBytes(rank, model.cacheHeads, model.headWidth);
        long tokens = BLOCK_TOKENS * Math.ceilDiv(stateBytes(rank), BLOCK_TOKENS * token);
        int states = 1 + rank.draftTokens() + (rank.settings().prefixCaching() ? 1 : 0);
        return present(List.of(
                new Layers(full(tokens), tokens * token, model.count(MemoryModel.Kind.FULL) + drafting),
                new Layers(
                        new Group(Span.STATE, tokens, 0, states),
                        tokens * token,
                        model.count(MemoryModel.Kind.LINEAR))));
    }

    /// Returns `nv dk dv` in the type of the state and `(2 nk dk + nv dv) (c - 1 + draft tokens)` in 16 bits.
    private static long stateBytes(ServedRank rank) {
        DeltaHeads delta = rank.model().deltaHeads();
        long tp = rank.tp();
        long element = rank.stateBytes() == 0 ? delta.stateBytes() : rank.stateBytes();
        return delta.values() / tp * delta.keyWidth() * delta.valueWidth() * element
                + delta.channels() / tp * (delta.kernel() - 1 + rank.draftTokens()) * 2;
    }

    /// Returns layers with equal pages: where pages differ, the smaller one holds more tokens.
    private static List<Layers> withWindows(ServedRank rank, int drafting) {
        MemoryModel model = rank.model();
        boolean gemma4 = model.type.startsWith("gemma4");
        long fullHeads = gemma4 ? model.whole("num_global_key_value_heads", model.cacheHeads) : model.cacheHeads;
        long fullWidth = gemma4 ? model.whole("global_head_dim", model.headWidth) : model.headWidth;
        long full = BLOCK_TOKENS * tokenBytes(rank, fullHeads, fullWidth);
        long others = BLOCK_TOKENS * tokenBytes(rank, model.cacheHeads, model.headWidth);
        List<Layers> kinds = present(List.of(
                new Layers(full(BLOCK_TOKENS), full, model.count(MemoryModel.Kind.FULL) + drafting),
                new Layers(
                        new Group(Span.SLIDING, BLOCK_TOKENS, model.window, 0),
                        others,
                        model.count(MemoryModel.Kind.SLIDING)),
                new Layers(
                        new Group(Span.CHUNKED, BLOCK_TOKENS, model.chunk(), 0),
                        others,
                        model.count(MemoryModel.Kind.CHUNKED))));
        long largest = kinds.stream().mapToLong(Layers::page).max().orElseThrow();
        List<Layers> equal = new ArrayList<>();
        for (Layers kind : kinds) {
            if (largest % kind.page != 0) {
                throw new MemoryNotSpecifiedException("pages of its layers have no common multiple");
            }
            Group group = kind.group;
            equal.add(new Layers(
                    new Group(group.span, group.tokens * (largest / kind.page), group.window, group.states),
                    largest,
                    kind.count));
        }
        return equal;
    }

    private static List<Layers> present(List<Layers> kinds) {
        return kinds.stream().filter(kind -> kind.count > 0).toList();
    }

    /// Returns the pool of DeepSeek-V4: a tuple has a page of the index, one of compressed entries and one of
    /// ratio 128. A block of the pool is `d` tuples, with the `d` that wastes least when the layers of each
    /// kind are rounded up to it.
    private static BlockPool ofCompressed(ServedRank rank) {
        MemoryModel model = rank.model();
        long layers = (long) model.layers + (rank.draftTokens() > 0 ? model.draftLayers : 0);
        long fours = ratios(model, 4);
        long wide = ratios(model, 128);
        List<Long> counts = List.of(Math.max(fours, wide), layers, fours, wide);
        long size = Math.max(1, counts.getFirst());
        long waste = Long.MAX_VALUE;
        for (long tried = size; tried <= layers; tried++) {
            long unit = tried;
            long wasted = counts.stream()
                    .mapToLong(count -> Math.ceilDiv(count, unit) * unit - count)
                    .sum();
            if (wasted <= waste) {
                waste = wasted;
                size = tried;
            }
        }
        boolean padded = rank.device().kind() != Kind.ROCM;
        long entry = padded ? 584 : 1024;
        long index = rank.device().kind() == Kind.FP4_INDEX ? 68 : 132;
        long unit = padded ? 576 : 1;
        long tuple = up(64 * index, unit) + up(64 * entry, unit) + up(2 * entry, unit);
        List<Group> groups = new ArrayList<>();
        groups.add(full(256));
        groups.addAll(Collections.nCopies((int) Math.ceilDiv(layers, size), sliding(64, model.window)));
        groups.addAll(Collections.nCopies((int) Math.ceilDiv(fours, size), sliding(4, 8)));
        groups.addAll(Collections.nCopies((int) Math.ceilDiv(wide, size), sliding(8, 128)));
        return of(rank, (double) size * tuple, groups);
    }

    static long ratios(MemoryModel model, int ratio) {
        long count = 0;
        for (int layer = 0; layer < model.layers; layer++) {
            count += model.ratio(layer) == ratio ? 1 : 0;
        }
        return count;
    }

    private static Group sliding(long tokens, long window) {
        return new Group(Span.SLIDING, tokens, window, 0);
    }

    private static long up(long bytes, long unit) {
        return Math.ceilDiv(bytes, unit) * unit;
    }

    /// Blocks of a pool.
    double blocks(double poolBytes) {
        return Math.floor(Math.max(0, poolBytes) / blockBytes);
    }

    private long admittedBlocks(long tokens) {
        long blocks = 0;
        for (Group group : groups) {
            blocks += group.admitted(tokens, tokenBudget);
        }
        return blocks;
    }

    @Override
    public boolean isUniform() {
        return groups.stream().allMatch(group -> group.span == Span.FULL);
    }

    @Override
    public double usableBytes(double poolBytes) {
        return blocks(poolBytes) * blockBytes;
    }

    @Override
    public double admittedBytes(double tokens) {
        return admittedBlocks(whole(tokens)) * blockBytes;
    }

    @Override
    public double heldBytes(double tokens) {
        long length = whole(tokens);
        long blocks = 0;
        for (Group group : groups) {
            blocks += group.held(length);
        }
        return blocks * blockBytes;
    }

    /// Rounds up to whole tokens, at least 1.
    private static long whole(double tokens) {
        return Math.max(1, (long) Math.ceil(tokens));
    }

    private long smallestBlock() {
        return groups.stream().mapToLong(Group::tokens).min().orElseThrow();
    }

    @Override
    public long printedTokens(double poolBytes) {
        double blocks = blocks(poolBytes);
        return printsConcurrency
                ? (long) (blocks / admittedBlocks(context) * context)
                : ((long) (blocks / groups.size())) * smallestBlock();
    }

    @Override
    public double poolBytes(double printedTokens) {
        double blocks = printsConcurrency
                ? printedTokens / context * admittedBlocks(context)
                : printedTokens / smallestBlock() * groups.size();
        return Math.round(blocks) * blockBytes;
    }

    @Override
    public boolean starts(double poolBytes) {
        double blocks = blocks(poolBytes);
        return blocks > 0 && admittedBlocks(context) <= blocks;
    }
}
