package io.throughputoptimizer.core.forward;

import static io.throughputoptimizer.core.operator.Quantity.COARSE_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_GROUPS;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_KEPT_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_PROMPT_ENTRIES;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_SELECTED;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_STEP_ENTRIES;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_TILES;
import static io.throughputoptimizer.core.operator.Quantity.CONTEXT_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.FINE_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.FINE_GROUPS;
import static io.throughputoptimizer.core.operator.Quantity.FINE_KEPT_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.FINE_PROMPT_ENTRIES;
import static io.throughputoptimizer.core.operator.Quantity.FINE_STEP_ENTRIES;
import static io.throughputoptimizer.core.operator.Quantity.FINE_TILES;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_PAIRS;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_PROMPT_PAIRS;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_RANKED;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_TOKENS_READ;
import static io.throughputoptimizer.core.operator.Quantity.LONGEST_SEQUENCE;
import static io.throughputoptimizer.core.operator.Quantity.REQUESTS;
import static io.throughputoptimizer.core.operator.Quantity.SELECTED_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.WINDOW_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.WINDOW_REMAINDER;
import static io.throughputoptimizer.core.operator.Quantity.WINDOW_TILES;
import static io.throughputoptimizer.core.operator.Quantity.WINDOW_TOKENS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.forward.attention.AttentionBlock;
import io.throughputoptimizer.core.forward.attention.AttentionTraits.Window;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.CompressedSpec.Compression;
import io.throughputoptimizer.core.operator.Quantities;
import io.throughputoptimizer.core.operator.Quantity;
import java.util.Optional;

/// Entries that attention with a window and compressed entries makes, selects and keeps in a pass.
///
/// @param window tokens attended to individually
/// @param selected maximum entries that the indexer selects
/// @param draftTokens draft tokens per request
record CompressedLoad(long window, long selected, int draftTokens, PassAccounting accounting) {
    /// A pass decodes when requests compute fewer tokens than this.
    private static final long PREFILL_QUERY_LENGTH = 5;

    /// Entries that attention takes at a time.
    private static final long TILE = 64;

    private static final long FINE = Compression.FINE.ratio();
    private static final long COARSE = Compression.COARSE.ratio();
    /// Operations with which an entry is ranked for a token: with a mask in requests without context.
    private static final int RANKED_MASKED = 4;

    private static final int RANKED = 2;

    /// The load of the layers with compressed entries; empty if there are none.
    static Optional<CompressedLoad> of(Deployment deployment) {
        return deployment
                .model()
                .compressed()
                .map(spec -> of(
                        spec,
                        deployment.execution().mtpTokens(),
                        deployment.execution().accounting()));
    }

    private static CompressedLoad of(CompressedSpec spec, int draftTokens, PassAccounting accounting) {
        return new CompressedLoad(spec.window(), spec.indexer().selectedTokens(), draftTokens, accounting);
    }

    /// Reads the quantities of a rank's requests, after [RankBatch#read].
    ///
    /// @param quantities receives the quantities
    /// @return how the tokens lie to the window
    Window read(RankBatch batch, Quantities quantities) {
        for (ForwardShape.Group group : batch.groups()) {
            compress(group, quantities);
            index(group, quantities);
        }
        Window lying = lying(batch, quantities);
        attend(quantities, lying);
        keep(quantities);
        return lying;
    }

    private Window lying(RankBatch batch, Quantities quantities) {
        long tokens = (long) quantities.get(TOKENS);
        if (decodes(batch, tokens, (long) quantities.get(REQUESTS))) {
            return Window.CACHED;
        }
        if (tokens <= window) {
            return Window.WITHIN;
        }
        quantities.set(WINDOW_REMAINDER, tokens % window);
        return tokens % window == 0 ? Window.WHOLE : Window.BROKEN;
    }

    /// The reference uses the average tokens of a request, or by those of all where they do not divide.
    private boolean decodes(RankBatch batch, long tokens, long requests) {
        return switch (accounting) {
            case DOCUMENTED ->
                (requests > 1 && tokens % requests == 0 ? tokens / requests : tokens) < PREFILL_QUERY_LENGTH;
            case STEADY ->
                batch.groups().stream().allMatch(group -> group.request().queryLength() < PREFILL_QUERY_LENGTH);
        };
    }

    private void attend(Quantities quantities, Window lying) {
        long tokens = (long) quantities.get(TOKENS);
        long longest = (long) quantities.get(LONGEST_SEQUENCE);
        long recent = lying == Window.CACHED ? window : Math.min(tokens, window);
        long fine = Math.max(1, Math.min(selected, longest / FINE));
        long coarse = Math.max(1, longest / COARSE);
        quantities.set(WINDOW_TOKENS, recent);
        quantities.set(SELECTED_TOKENS, fine);
        quantities.set(COARSE_SELECTED, coarse);
        quantities.set(WINDOW_TILES, Math.ceilDiv(recent, TILE));
        quantities.set(FINE_TILES, Math.ceilDiv(recent + fine, TILE));
        quantities.set(COARSE_TILES, Math.ceilDiv(recent + coarse, TILE));
        quantities.set(FINE_GROUPS, Math.floorDiv(tokens, FINE));
        quantities.set(COARSE_GROUPS, Math.floorDiv(tokens, COARSE));
    }

    /// Blocks of `ceil((B W + total div R) / 128)`, where the total has room for drafts.
    private void keep(Quantities quantities) {
        double requests = quantities.get(REQUESTS);
        double total = quantities.get(CONTEXT_TOKENS) + requests * (draftTokens + 1);
        double recent = requests * window;
        quantities.set(WINDOW_BLOCKS, blocks(recent));
        quantities.set(FINE_BLOCKS, blocks(recent + Math.floor(total / FINE)));
        quantities.set(COARSE_BLOCKS, blocks(recent + Math.floor(total / COARSE)));
        quantities.set(INDEX_BLOCKS, blocks(Math.floor(total / FINE)));
    }

    private static double blocks(double entries) {
        return Math.max(1, Math.ceil(entries / AttentionBlock.BLOCK_TOKENS));
    }

    private static void compress(ForwardShape.Group group, Quantities quantities) {
        compress(group, FINE, true, FINE_KEPT_TOKENS, FINE_PROMPT_ENTRIES, FINE_STEP_ENTRIES, quantities);
        compress(group, COARSE, false, COARSE_KEPT_TOKENS, COARSE_PROMPT_ENTRIES, COARSE_STEP_ENTRIES, quantities);
    }

    /// Without context, tokens of the last entry are kept where entries overlap, and those of none yet. With
    /// context, all are.
    private static void compress(
            ForwardShape.Group group,
            long ratio,
            boolean overlaps,
            Quantity kept,
            Quantity promptEntries,
            Quantity stepEntries,
            Quantities quantities) {
        double count = group.count();
        long query = group.request().queryLength();
        long sequence = group.request().sequenceLength();
        if (query == sequence) {
            long last = overlaps && query >= ratio ? ratio : 0;
            quantities.add(kept, count * (last + query % ratio));
            quantities.add(promptEntries, count * Math.floorDiv(query, ratio));
        } else {
            quantities.add(kept, count * query);
            quantities.add(stepEntries, count * (sequence / ratio - (sequence - query) / ratio));
        }
    }

    /// The reference takes no more entries of a request than one block of the cache holds, and reads none.
    private void index(ForwardShape.Group group, Quantities quantities) {
        double count = group.count();
        double query = group.request().queryLength();
        long sequence = group.request().sequenceLength();
        boolean prompt = query == sequence;
        long entries = Math.max(1, sequence / FINE);
        long seen = switch (accounting) {
            case DOCUMENTED -> Math.min(AttentionBlock.BLOCK_TOKENS, entries);
            case STEADY -> entries;
        };
        double pairs = count * (query * seen);
        quantities.add(INDEX_PAIRS, pairs);
        quantities.add(INDEX_PROMPT_PAIRS, prompt ? pairs : 0);
        quantities.add(INDEX_RANKED, count * (query * Math.min(selected, seen)) * (prompt ? RANKED_MASKED : RANKED));
        quantities.add(INDEX_TOKENS_READ, accounting == PassAccounting.STEADY ? count * seen : 0);
    }
}
