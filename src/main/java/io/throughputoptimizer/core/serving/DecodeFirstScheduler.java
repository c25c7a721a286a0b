package io.throughputoptimizer.core.serving;

/// Decides how many requests each step of an aggregated instance computes (chunked prefill, scheduler
/// `DecodeFirstWithSlack`): decode comes first, prefill fills what is left, and 15 % of slack lets a step exceed
/// the budget for prefill's sake, never for decode's.
///
/// @param budget tokens of one step, `B`
record DecodeFirstScheduler(long budget) {
    private static final double SLACK = 1.15;

    /// Requests of one step.
    record Step(long prefill, long decode) {}

    /// `decode = min(ready, B)`, and as many prefill chunks as fit in the rest of `floor(1.15 B)` tokens.
    ///
    /// @param ready requests that can decode
    /// @param pending requests that can prefill the same chunk
    /// @param chunkTokens tokens of that chunk
    Step decide(long ready, long pending, int chunkTokens) {
        long decode = Math.min(ready, budget);
        long limit = (long) Math.floor(budget * SLACK);
        long prefill = chunkTokens > 0 ? Math.clamp((limit - decode) / chunkTokens, 0, pending) : 0;
        return new Step(prefill, decode);
    }
}
