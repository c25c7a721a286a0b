package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.PrefillChunks;
import io.throughputoptimizer.core.workload.Workload;

/// Which formulas turn forward passes into TTFT, TPOT and throughput; chosen once per problem. Whatever two
/// accountings do differently is a method here, so that no formula elsewhere asks which one is in use.
public sealed interface Accounting {

    /// Name used in requests and results.
    String name();

    /// Token budget of one prefill pass when the problem names none.
    int defaultTokenBudget(Workload workload);

    /// Smallest token budget with which the workload can be served.
    int leastTokenBudget(Workload workload);

    /// Requests that prefill one chunk in the same pass, of `concurrency` in all.
    long prefillWave(long concurrency, PrefillChunks chunks, int queryLength);

    /// Prompt tokens per second of `concurrency` requests of `inputTokens` that take `millis`; 0 when they take
    /// no time.
    double prefillTokensPerSecond(long concurrency, double millis, int inputTokens);

    /// The formulas of the documented optimizer, its oddities included.
    ///
    /// The budget is one for the whole instance, however many data parallel ranks share a pass. It does not bind
    /// prompts of one chunk, which prefill all at once. A mixed batch is never cut, so its longest request must
    /// fit the budget.
    record Documented() implements Accounting {
        private static final int DEFAULT_TOKEN_BUDGET = 8192;

        @Override
        public String name() {
            return "documented";
        }

        @Override
        public int defaultTokenBudget(Workload workload) {
            return switch (workload.lengths()) {
                case Lengths.Fixed _ -> DEFAULT_TOKEN_BUDGET;
                case Lengths.Mixed _ -> workload.maxEffectiveInputLength();
            };
        }

        @Override
        public int leastTokenBudget(Workload workload) {
            return switch (workload.lengths()) {
                case Lengths.Fixed _ -> 1;
                case Lengths.Mixed _ -> workload.maxEffectiveInputLength();
            };
        }

        @Override
        public long prefillWave(long concurrency, PrefillChunks chunks, int queryLength) {
            return chunks.count() == 1 ? concurrency : Math.max(chunks.maxBatchedTokens() / queryLength, 1);
        }

        @Override
        public double prefillTokensPerSecond(long concurrency, double millis, int inputTokens) {
            return millis > 0 ? concurrency / millis * 1000 * inputTokens : 0;
        }
    }
}
