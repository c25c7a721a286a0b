package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.MixedPass;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/// Which formulas turn forward passes into TTFT, TPOT and throughput; chosen once per problem. Whatever two
/// accountings do differently is a method here, so that no formula elsewhere asks which one is in use.
public sealed interface Accounting {

    /// Name used in requests and results.
    String name();

    /// Token budgets of one prefill pass to try when the problem names none: each but the last gives way to the
    /// next when prefill runs out of memory with it at the smallest batch size.
    List<Integer> tokenBudgets(Workload workload);

    /// The first of the [#tokenBudgets].
    default int defaultTokenBudget(Workload workload) {
        return tokenBudgets(workload).getFirst();
    }

    /// Smallest token budget with which the workload can be served.
    int leastTokenBudget(Workload workload);

    /// Whether instances of this kind serve prompts of unequal length.
    boolean servesMixedLengths(Phase phase);

    /// Tokens that all `ranks` data parallel ranks together compute in one prefill pass.
    long instanceTokenBudget(int maxBatchedTokens, int ranks);

    /// Whether the pass of a full wave is priced by an aggregated instance that runs `fullWaves` of them.
    boolean pricesFullWave(long fullWaves);

    /// Whether the evaluation of a point ends at this pass, because it needs more memory than there is.
    boolean givesUpAfter(ForwardEstimate pass);

    /// Time in ms that an aggregated instance is taken to spend on a batch, when throughput is worked out.
    ///
    /// @param decodeMillis time of one output token without any share of TTFT
    double requestMillis(double ttftMillis, double tpotMillis, double decodeMillis, int outputTokens);

    /// Requests that a disaggregated instance prefills in the same pass, of `concurrency` in all.
    ///
    /// @param instanceTokenBudget tokens that all ranks together compute in one pass
    /// @param chunks pieces that a prompt is cut into
    /// @param queryLength tokens of the piece in question
    long prefillWave(long concurrency, long instanceTokenBudget, int chunks, int queryLength);

    /// Passes in which a rank prefills prompts of unequal length, made one after another.
    Iterator<MixedPass> mixedPasses(List<LengthSamples> samples, int maxBatchedTokens);

    /// How many these are.
    long mixedPassCount(List<LengthSamples> samples, int maxBatchedTokens);

    /// Whether TTFT looks at the time when each request of a disaggregated prefill phase is done.
    boolean averagesCompletions();

    /// TTFT in ms of a disaggregated prefill phase.
    double prefillTtftMillis(PrefillTimeline timeline);

    /// Prompt tokens per second of `concurrency` requests of `inputTokens` that take `millis`; 0 when they take
    /// no time.
    double prefillTokensPerSecond(long concurrency, double millis, int inputTokens);

    /// The formulas of the documented optimizer, its oddities included.
    ///
    /// - The budget is one for the whole instance, however many data parallel ranks share a pass. It does not bind
    ///   prompts of one chunk, which a disaggregated instance prefills all at once. A mixed batch is never cut, so
    ///   its longest request must fit the budget.
    /// - Aggregated throughput counts TTFT twice: once by itself, once as part of TPOT.
    /// - Every request of a disaggregated prefill phase is taken to end with the phase.
    /// - Passes that do not fit in memory are priced like others.
    record Documented() implements Accounting {
        private static final int DEFAULT_TOKEN_BUDGET = 8192;

        @Override
        public String name() {
            return "documented";
        }

        @Override
        public List<Integer> tokenBudgets(Workload workload) {
            return switch (workload.lengths()) {
                case Lengths.Fixed _ -> List.of(DEFAULT_TOKEN_BUDGET);
                case Lengths.Mixed _ -> List.of(workload.maxEffectiveInputLength());
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
        public boolean servesMixedLengths(Phase phase) {
            return switch (phase) {
                case PREFILL -> true;
                case DECODE, AGGREGATION -> false;
            };
        }

        @Override
        public long instanceTokenBudget(int maxBatchedTokens, int ranks) {
            return maxBatchedTokens;
        }

        @Override
        public boolean pricesFullWave(long fullWaves) {
            return true;
        }

        @Override
        public boolean givesUpAfter(ForwardEstimate pass) {
            return false;
        }

        @Override
        public double requestMillis(double ttftMillis, double tpotMillis, double decodeMillis, int outputTokens) {
            return ttftMillis + tpotMillis * outputTokens;
        }

        @Override
        public long prefillWave(long concurrency, long instanceTokenBudget, int chunks, int queryLength) {
            return chunks == 1 ? concurrency : Math.max(instanceTokenBudget / queryLength, 1);
        }

        @Override
        public Iterator<MixedPass> mixedPasses(List<LengthSamples> samples, int maxBatchedTokens) {
            return List.of(MixedPass.whole(samples)).iterator();
        }

        @Override
        public long mixedPassCount(List<LengthSamples> samples, int maxBatchedTokens) {
            return 1;
        }

        @Override
        public boolean averagesCompletions() {
            return false;
        }

        @Override
        public double prefillTtftMillis(PrefillTimeline timeline) {
            return timeline.endMillis();
        }

        @Override
        public double prefillTokensPerSecond(long concurrency, double millis, int inputTokens) {
            return millis > 0 ? concurrency / millis * 1000 * inputTokens : 0;
        }
    }

    /// The documented formulas put right.
    ///
    /// - Each data parallel rank has the budget for itself, and it binds prompts of one chunk too. A mixed batch is
    ///   cut into passes of it.
    /// - Aggregated throughput counts TTFT once.
    /// - TTFT of a disaggregated prefill phase is the mean over its requests of the time when each is done.
    /// - Nothing more is priced after a pass that does not fit in memory, nor a wave that does not run.
    /// - Without a given budget 4, 2 and 1 times the input length are tried in turn.
    record Corrected() implements Accounting {

        @Override
        public String name() {
            return "corrected";
        }

        @Override
        public List<Integer> tokenBudgets(Workload workload) {
            int length = switch (workload.lengths()) {
                case Lengths.Fixed fixed -> fixed.inputTokens();
                case Lengths.Mixed _ -> workload.effectiveInputLength();
            };
            return Stream.of(4L, 2L, 1L)
                    .map(times -> (int) Math.min(times * length, Integer.MAX_VALUE))
                    .toList();
        }

        @Override
        public int leastTokenBudget(Workload workload) {
            return 1;
        }

        @Override
        public boolean servesMixedLengths(Phase phase) {
            return switch (phase) {
                case PREFILL, AGGREGATION -> true;
                case DECODE -> false;
            };
        }

        @Override
        public long instanceTokenBudget(int maxBatchedTokens, int ranks) {
            return (long) maxBatchedTokens * ranks;
        }

        @Override
        public boolean pricesFullWave(long fullWaves) {
            return fullWaves > 0;
        }

        @Override
        public boolean givesUpAfter(ForwardEstimate pass) {
            return pass.memory().availableBytes() < 0;
        }

        @Override
        public double requestMillis(double ttftMillis, double tpotMillis, double decodeMillis, int outputTokens) {
            return ttftMillis + decodeMillis * outputTokens;
        }

        @Override
        public long prefillWave(long concurrency, long instanceTokenBudget, int chunks, int queryLength) {
            return Math.max(instanceTokenBudget / queryLength, 1);
        }

        @Override
        public Iterator<MixedPass> mixedPasses(List<LengthSamples> samples, int maxBatchedTokens) {
            return MixedPass.cut(samples, maxBatchedTokens);
        }

        @Override
        public long mixedPassCount(List<LengthSamples> samples, int maxBatchedTokens) {
            return MixedPass.count(samples, maxBatchedTokens);
        }

        @Override
        public boolean averagesCompletions() {
            return true;
        }

        @Override
        public double prefillTtftMillis(PrefillTimeline timeline) {
            return timeline.meanCompletionMillis();
        }

        @Override
        public double prefillTokensPerSecond(long concurrency, double millis, int inputTokens) {
            return millis > 0 ? concurrency * inputTokens / millis * 1000 : 0;
        }
    }
}
