package io.throughputoptimizer.core.operator;

/// What forward passes of one deployment and one structure differ in. Sizes of tensors, bytes and operations are
/// [forms][Form] over these.
public enum Quantity {
    /// Tokens computed, `S = sum(q_i)`.
    TOKENS,
    /// Requests, `B`.
    REQUESTS,
    /// Rows that go to the output head, where they are picked.
    ROWS,
    /// Blocks of the KV cache that the requests occupy.
    CACHE_BLOCKS,
    /// Blocks of the longest request.
    LONGEST_BLOCKS,
    /// Tokens of the longest request, `max(s_i)`.
    LONGEST_SEQUENCE,
    /// Tokens attended to, `sum(s_i)`.
    CONTEXT_TOKENS,
    /// `C = sum(q_i s_i)`.
    QUERY_CONTEXT_PRODUCT,
    /// Images of all requests.
    IMAGES,

    /// Tokens of one tensor parallel rank, `n = ceil(S / tp)`.
    TOKEN_SHARE,
    /// Tokens that every expert gets from each rank, `f = n k div E`.
    TOKENS_PER_EXPERT,
    /// Experts of the rank that get one token more, `x`.
    FULLER_EXPERTS,
    /// Experts of the rank that have tokens.
    LIVE_EXPERTS,
    /// Tokens of a fuller expert, padded, in units of the padding.
    FULLER_UNITS,
    /// Tokens of any other expert, padded, in units of the padding.
    LESSER_UNITS,

    /// Phases, of prefill and decode, that latent attention sees: 1 or 2.
    PHASES,
    /// Of prefill requests: tokens computed, `C` of the tokens attended to, `C`.
    PREFILL_TOKENS,
    PREFILL_ATTENDED,
    PREFILL_CONTEXT,
    /// Of decode requests: tokens computed, `C` of the tokens attended to, `C`.
    DECODE_TOKENS,
    DECODE_ATTENDED,
    DECODE_CONTEXT,
    /// Tokens that latent attention reads from the cache, by the efficiency of the access: no whole number.
    CACHE_TOKENS_READ,
    /// Entries that it reads of the block table.
    BLOCK_ENTRIES_READ,
    /// Most tokens that sparse attention attends to, of the longest request.
    SELECTED_TOKENS,
    /// Tokens that the sparse indexer reads from its cache, by the efficiency of the access: no whole number.
    INDEX_TOKENS_READ,

    /// Blocks that one index head scores, `sum(q ceil(s / block))`.
    BLOCKS_SCORED,
    /// Pairs of a query and a token that it attends to in selected blocks.
    BLOCK_TOKENS_ATTENDED,
    /// Tokens that attention to selected blocks reads from the cache, some more than once.
    BLOCK_TOKENS_READ,

    /// Chunks of 64 tokens that the gated delta rule works on.
    DELTA_CHUNKS,
    /// States that it reads, and that it writes, where it works on chunks.
    DELTA_STATES_READ,
    DELTA_STATES_WRITTEN,

    /// Of attention to a window and compressed entries: tokens of the window, those by which the pass is longer than
    /// whole windows, and blocks of the window's cache.
    WINDOW_TOKENS,
    WINDOW_REMAINDER,
    WINDOW_BLOCKS,
    /// Runs of 64 among what a token attends to, by the compression of the layer.
    WINDOW_TILES,
    FINE_TILES,
    COARSE_TILES,
    /// Entries of the longest request in layers with coarse compression.
    COARSE_SELECTED,
    /// Entries that all tokens of the pass would make as one sequence.
    FINE_GROUPS,
    COARSE_GROUPS,
    /// Tokens kept for an entry that is not complete.
    FINE_KEPT_TOKENS,
    COARSE_KEPT_TOKENS,
    /// Entries completed by requests without context.
    FINE_PROMPT_ENTRIES,
    COARSE_PROMPT_ENTRIES,
    /// Entries completed by requests with context.
    FINE_STEP_ENTRIES,
    COARSE_STEP_ENTRIES,
    /// Blocks of the cache of window and entries.
    FINE_BLOCKS,
    COARSE_BLOCKS,
    /// Of the indexer: blocks of its cache, pairs of a token and an entry, those of requests without context,
    /// and entries ranked for all tokens.
    INDEX_BLOCKS,
    INDEX_PAIRS,
    INDEX_PROMPT_PAIRS,
    INDEX_RANKED,

    /// Of layers that attend to a window of `W` recent tokens: `C` of the tokens attended to, `sum(q min(s, W))`,
    /// tokens read, `sum(min(s, q + W - 1))`, and blocks of the cache.
    RECENT_PRODUCT,
    RECENT_TOKENS,
    RECENT_BLOCKS;

    /// The quantity by itself.
    public Form form() {
        return Form.of(this);
    }
}
