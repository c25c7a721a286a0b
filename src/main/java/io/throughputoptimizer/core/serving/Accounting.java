package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.MixedPass;
import io.throughputoptimizer.core.workload.Workload;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Formulas that turn forward passes into TTFT, TPOT and throughput; chosen once per problem. All differences
/// between
/// the two accountings are here, so that no formula elsewhere depends on the one in use.
public enum Accounting {
    /// Formulas of the documented optimizer, its oddities included. One token budget serves the whole
    /// instance, however
    /// many data parallel ranks share a pass. A mixed batch is never cut. All prompts are done with the phase.
    DOCUMENTED,
    /// Figures that clients see under a load that lasts. Each data parallel rank has a token budget, and mixed
    /// batches
    /// are cut into passes of it. Figures never promise more than the devices have time for.
    STEADY;

    /// Requests of a benchmark per outstanding one, where a load lasts.
    static final double WAVES = 10;

    /// Token budget of documented searches that set none.
    public static final int DEFAULT_TOKEN_BUDGET = 8192;

    /// Returns whether figures are those of the reference, which others must not be taken for.
    public boolean isReference() {
        return this == DOCUMENTED;
    }

    /// Returns the accounting of forward passes.
    public PassAccounting passes() {
        return isReference() ? PassAccounting.DOCUMENTED : PassAccounting.STEADY;
    }

    /// Returns whether instances that decode serve requests of unequal length; those that prefill always do.
    public boolean decodesMixedLengths() {
        return !isReference();
    }

    /// Returns the token budgets to try when the problem names none: each but the last gives way to the next
    /// when
    /// prefill runs out of memory with it at the smallest batch size.
    public List<Integer> tokenBudgets(Workload workload) {
        if (isReference()) {
            return switch (workload.lengths()) {
                case Lengths.Fixed _ -> List.of(DEFAULT_TOKEN_BUDGET);
                case Lengths.Mixed _ -> List.of(workload.maxEffectiveInputLength());
            };
        }
        int length = switch (workload.withoutSoleBin().lengths()) {
            case Lengths.Fixed fixed -> fixed.inputTokens();
            case Lengths.Mixed _ -> workload.effectiveInputLength();
        };
        return Stream.of(4L, 2L, 1L)
                .map(times -> (int) Math.min(times * length, Integer.MAX_VALUE))
                .toList();
    }

    /// Returns the smallest token budget that serves the workload.
    public int leastTokenBudget(Workload workload) {
        return isReference() && workload.lengths() instanceof Lengths.Mixed ? workload.maxEffectiveInputLength() : 1;
    }

    /// Returns the tokens that all `ranks` data parallel ranks together compute in one prefill pass.
    long instanceTokenBudget(int maxBatchedTokens, int ranks) {
        return isReference() ? maxBatchedTokens : (long) maxBatchedTokens * ranks;
    }

    /// Returns the workload as instances serve it: a single bin is a fixed length, except in the reference.
    Workload seen(Workload workload) {
        return isReference() ? workload : workload.withoutSoleBin();
    }

    /// Returns the passes in which a rank prefills prompts of unequal length, made one after another.
    Iterator<MixedPass> mixedPasses(List<LengthSamples> samples, int maxBatchedTokens) {
        return isReference() ? List.of(MixedPass.whole(samples)).iterator() : MixedPass.cut(samples, maxBatchedTokens);
    }

    /// Returns the number of [#mixedPasses].
    long mixedPassCount(List<LengthSamples> samples, int maxBatchedTokens) {
        return isReference() ? 1 : MixedPass.count(samples, maxBatchedTokens);
    }

    /// Returns how many of `concurrency` requests a disaggregated instance prefills in the same pass. The
    /// reference's
    /// budget does not bind prompts of one chunk.
    ///
    /// @param instanceTokenBudget tokens that all ranks together compute in one pass
    /// @param chunks pieces that a prompt is cut into
    /// @param queryLength tokens of the piece in question
    long waveSize(long concurrency, long instanceTokenBudget, int chunks, int queryLength) {
        return isReference() && chunks == 1 ? concurrency : Math.max(instanceTokenBudget / queryLength, 1);
    }

    /// TTFT in ms of a prefill phase. In the reference all requests are done with the phase. Under a load that
    /// lasts
    /// clients send the next request at once, and a benchmark sends [#WAVES] times as many requests as are
    /// outstanding:
    /// those that open it are done one by one, all others wait for a whole round of the rest:
    /// `TTFT = mean / W + (1 - 1/W) end`.
    double ttftMillis(PrefillTimeline timeline) {
        if (isReference()) {
            return timeline.endMillis();
        }
        double opening = 1 / WAVES;
        return opening * timeline.meanCompletionMillis() + (1 - opening) * timeline.endMillis();
    }

    /// Prompt tokens per second of `concurrency` requests of `inputTokens` that take `millis`; 0 when they take
    /// no time. The two accountings round in different order.
    double promptTokensPerSecond(long concurrency, double millis, int inputTokens) {
        if (millis <= 0) {
            return 0;
        }
        return isReference() ? concurrency / millis * 1000 * inputTokens : concurrency * inputTokens / millis * 1000;
    }

    /// Requests per second of a disaggregated phase; empty of an instance that does both phases. Those of a
    /// load that
    /// lasts are what its passes have time for.
    public OptionalDouble requestsPerS(long concurrency, Figures figures, double outputTokens) {
        OptionalDouble promised = QueryRate.of(concurrency, figures.ttftMillis(), figures.tpotMillis(), outputTokens);
        return isReference() || promised.isEmpty() ? promised : OptionalDouble.of(figures.sustainedRequestsPerS());
    }

    /// Requests per second of one disaggregated phase.
    public static final class QueryRate {
        private QueryRate() {}

        /// Prefill: `concurrency / ttft * 1000`. Decode: `concurrency / (tpot * output) * 1000`. Empty unless
        /// concurrency and exactly one of the latencies are positive.
        public static OptionalDouble of(
                long concurrency, @Nullable Double ttftMillis, @Nullable Double tpotMillis, double outputTokens) {
            double ttft = ttftMillis == null ? 0 : ttftMillis;
            double tpot = tpotMillis == null ? 0 : tpotMillis;
            if (concurrency <= 0 || (ttft > 0) == (tpot > 0)) {
                return OptionalDouble.empty();
            }
            if (ttft > 0) {
                return OptionalDouble.of(concurrency / ttft * 1000);
            }
            return outputTokens > 0
                    ? OptionalDouble.of(concurrency / (tpot * outputTokens) * 1000)
                    : OptionalDouble.empty();
        }
    }
}
