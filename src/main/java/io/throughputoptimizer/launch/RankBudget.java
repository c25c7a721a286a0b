package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.request.OptimizationRequest.AccountingName;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowResponse.CompositionResponse;
import java.util.List;

/// Tokens of one step of one data parallel rank, as a row stands for them; engines are told budgets of a rank.
///
/// @param promptTokens most prompt tokens of a step; 0 of an instance that decodes
/// @param chunked whether prompts are cut into pieces
/// @param holdsDecodes whether the tokens of requests that decode count in `promptTokens` as well
/// @param asModelled whether an engine that is told so does what the row counts with
record RankBudget(long promptTokens, boolean chunked, boolean holdsDecodes, boolean asModelled) {
    /// What the scheduler of the reference lets a step exceed its budget by.
    private static final double OVERDRAFT = 1.15;

    static final RankBudget OF_DECODE = new RankBudget(0, false, false, true);

    /// Of a row of prefill or aggregation. With budget `T`, `q` tokens a prompt and `C` requests over `dp` ranks:
    ///
    /// - accounting `corrected` and `steady` have the budget of a rank: `T`
    /// - accounting `documented` has that of the instance. In aggregation a rank computes `ceil(wave / dp) q` of a
    ///   wave of `min(T div q, C)` prompts. In prefill the budget does not bind: `B q`, or of mixed lengths the
    ///   rank's share of all. Where a prompt exceeds the budget, a step takes one piece of `T`.
    static RankBudget of(RowResponse row, LaunchPlan.Role role, AccountingName accounting) {
        return of(row, row.concurrency(), role, accounting);
    }

    /// Of a row with another number of requests than it has.
    static RankBudget of(RowResponse row, long concurrency, LaunchPlan.Role role, AccountingName accounting) {
        long budget = row.maxBatchedTokens();
        boolean chunked = row.prefillNumChunks() > 1;
        return switch (accounting) {
            case STEADY -> new RankBudget(budget, chunked, true, true);
            case CORRECTED -> new RankBudget(budget, chunked, false, true);
            case DOCUMENTED -> documented(row, concurrency, role, budget, chunked);
        };
    }

    /// Of prompts of `q` tokens, where no row says more.
    ///
    /// @param budget of the request
    static RankBudget ofPrefill(long q, long budget, long batchSize, AccountingName accounting) {
        boolean chunked = q > budget;
        return accounting == AccountingName.DOCUMENTED && !chunked
                ? new RankBudget(batchSize * q, false, false, true)
                : new RankBudget(budget, chunked, accounting == AccountingName.STEADY, true);
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

    /// The same with no more tokens than these.
    RankBudget atMost(long tokens) {
        return promptTokens <= tokens ? this : new RankBudget(tokens, chunked, holdsDecodes, asModelled);
    }

    /// Tokens of a step that prompts share with requests that decode, `batchSize` of `tokensEach`.
    long mixedStep(long batchSize, int tokensEach) {
        if (holdsDecodes) {
            return promptTokens;
        }
        long both = promptTokens + batchSize * tokensEach;
        return chunked ? Math.min(both, (long) (OVERDRAFT * promptTokens)) : both;
    }
}
