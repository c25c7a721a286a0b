package io.throughputoptimizer.api.enginelog;

import static io.throughputoptimizer.api.enginelog.Fact.Ranks.LARGEST;
import static io.throughputoptimizer.api.enginelog.Fact.Ranks.LAST;
import static io.throughputoptimizer.api.enginelog.Fact.Ranks.SMALLEST;

/// A figure or setting that lines of a log state.
enum Fact {
    MEMORY_SHARE("printed.memory_share", LAST),
    MAX_NUM_SEQS("engine.max_num_seqs", LAST),
    TOKEN_BUDGET("engine.max_batched_tokens", LAST),
    MAX_MODEL_LEN("engine.max_model_len", LAST),
    /// Bytes of a cache element.
    CACHE_BYTES("engine.kv_cache_dtype", LAST),
    /// 1 where graphs are captured, else 0; flags below likewise.
    CUDA_GRAPHS("engine.cuda_graphs", LAST),
    TP("parallel.tp", LAST),
    DP("parallel.dp", LAST),
    EP("parallel.ep", LAST),
    DRAFT_TOKENS("num_draft_tokens", LAST),
    WEIGHTS("printed.weights_gib", LARGEST),
    ACTIVATION("printed.activation_gib", LARGEST),
    OTHER("printed.other_gib", LARGEST),
    GRAPHS("printed.graphs_gib", LARGEST),
    SEEN("printed.seen_gib", SMALLEST),
    KV_POOL("printed.kv_pool_gib", SMALLEST),
    KV_TOKENS("printed.kv_tokens", SMALLEST),
    CONCURRENCY("printed.concurrency", SMALLEST),
    CONCURRENCY_TOKENS("printed.concurrency_tokens", LAST),

    /// Parts of others, which an answer does not name.
    BLOCKS("", SMALLEST),
    BLOCK_TOKENS("", LAST),
    PEAK_TORCH("", LARGEST),
    CONSUMED("", LARGEST),
    EXPERT_PARALLEL("", LAST),
    DP_ATTENTION("", LAST),
    PP("", LAST),
    DRAFTING("", LAST),
    DRAFT_STEPS("", LAST);

    /// One value of several ranks.
    enum Ranks {
        LAST,
        SMALLEST,
        LARGEST
    }

    /// Name in an answer.
    final String field;

    final Ranks ranks;

    Fact(String field, Ranks ranks) {
        this.field = field;
        this.ranks = ranks;
    }

    /// Returns true for GiB of a rank.
    boolean isMemory() {
        return switch (this) {
            case WEIGHTS, ACTIVATION, OTHER, GRAPHS, SEEN, KV_POOL, PEAK_TORCH, CONSUMED -> true;
            default -> false;
        };
    }
}
