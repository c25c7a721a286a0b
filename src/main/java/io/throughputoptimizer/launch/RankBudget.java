package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowResponse.CompositionResponse;
import java.util.List;

/// Token budget of one step of a data parallel rank, as counted by a row. Engines take budgets per rank.
///
/// @param promptTokens maximum prompt tokens per step; 0 for a decode instance
/// @param chunked true if prefill is chunked
/// @param holdsDecodes true if tokens of decoding requests count in `promptTokens` too
/// @param asModelled true if an engine with this budget behaves as the row assumes
record RankBudget(long promptTokens, boolean chunked, boolean holdsDecodes, boolean asModelled) {
    /// Factor by which a step can exceed its budget in msmodeling's scheduler.
    private static final double OVERDRAFT = 1.15;

    static final RankBudget OF_DECODE = new RankBudget(0, false, false, true);

    /// Returns the budget of a prefill or aggregated row. With budget `T`, `q` tokens per prompt and `C`
    /// requests over `dp` ranks:
    ///
    /// - accounting `steady`: the budget is that of a rank, `T`
    /// - accounting `documented`: the budget is that of the instance. In aggregation a rank computes
    ///   `ceil(wave / dp) q` of a wave of `min(T div q, C)` prompts. In prefill the budget does not bind:
    ///   `B q`, or for mixed lengths the rank's share of all. If a prompt exceeds the budget, a step takes one
    ///   chunk of `T`.
    static RankBudget of(RowResponse row, LaunchPlan.Role role, boolean documented) {
        return of(row, row.concurrency(), role, documented);
    }

    /// Returns the budget of a row at another concurrency.
    static RankBudget of(RowResponse row, long concurrency, LaunchPlan.Role role, boolean documented) {
        long budget = row.maxBatchedTokens();
        boolean chunked = row.prefillNumChunks() > 1;
        return documented
                ? documented(row, concurrency, role, budget, chunked)
                : new RankBudget(budget, chunked, true, true);
    }

    /// Returns the budget for prompts of `q` tokens without a row.
    ///
    /// @param budget token budget of the request
    static RankBudget ofPrefill(long q, long budget, long batchSize, boolean documented) {
        boolean chunked = q > budget;
        return documented && !chunked
                ? new RankBudget(batchSize * q, false, false, true)
                : new RankBudget(budget, chunked, !documented, true);
    }

    private static RankBudget documented(
            RowResponse row, long concurrency, LaunchPlan.Role role, long budget, boolean chunked) {
        int dp = row.parallel().dp();
        if (chunked) {
            return new RankBudget(budget, true, false, dp == 1);
        }
        List<CompositionResponse> composition = row.composition();
        if (composition != null) {
            long all = composition.stream()
                    .mapToLong(part -> part.queryLen() * part.samples())
                    .sum();
            return new RankBudget(Math.ceilDiv(all, dp), false, false, true);
        }
        long prompt = row.effectiveInputLength();
        long wave = role == LaunchPlan.Role.PREFILL ? concurrency : Math.min(budget / prompt, concurrency);
        return new RankBudget(Math.ceilDiv(wave, dp) * prompt, false, false, true);
    }

    /// Returns a copy limited to a number of tokens.
    RankBudget atMost(long tokens) {
        return promptTokens <= tokens ? this : new RankBudget(tokens, chunked, holdsDecodes, asModelled);
    }

    /// Returns the tokens of a step shared by prompts and decoding requests, `batchSize` of `tokensEach`.
    long mixedStep(long batchSize, int tokensEach) {
        if (holdsDecodes) {
            return promptTokens;
        }
        long both = promptTokens + batchSize * tokensEach;
        return chunked ? Math.min(both, (long) (OVERDRAFT * promptTokens)) : both;
    }
}
