package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.steady.KeptCaches;
import io.throughputoptimizer.core.workload.LengthSamples;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One recorded configuration and what it delivers.
///
/// @param rank place in its table from 1; absent in lists that are not ranked
/// @param batchSize requests per data parallel rank
/// @param concurrency requests of the whole instance
/// @param figures what it delivers, rounded to 3 decimals
/// @param prefill effective input, token budget and number of chunks
/// @param breakdowns where the time of each phase goes
/// @param memory of the pass that leaves least
/// @param composition the mixed batch's parts, ordered by input length; empty for fixed lengths
/// @param leftOutRatio share of all requests whose lengths the mixed batch is too small for, rounded to 6 decimals
/// @param binds what keeps the batch size from being larger, as far as its search knows: every limit that the next one
///     breaks, or what else; none while that is not known
public record ResultRow(
        @Nullable Integer rank,
        Candidate candidate,
        long batchSize,
        long concurrency,
        Figures figures,
        PrefillPlan prefill,
        Breakdowns breakdowns,
        MemoryFootprint memory,
        List<CompositionRow> composition,
        double leftOutRatio,
        Set<BindingLimit> binds) {

    private static final double MOST_LEFT_OUT = 0.05;

    /// Latencies in ms and throughputs, rounded to 3 decimals; requests per second are not rounded.
    ///
    /// @param qps of a disaggregated phase, by its latency
    /// @param requestLatencyMillis of a whole answer, of a phase by itself the part that it makes
    /// @param kept what caches of conversations come to at a rank; absent where requests are no turns of any
    /// @param sustainedQps that the time of the passes suffices for ([ServingPoint.Figures#sustainedQps])
    public record Figures(
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis,
            double tokensPerSecond,
            double tokensPerSecondPerDevice,
            @Nullable Double qps,
            double sustainedQps,
            @Nullable Double requestLatencyMillis,
            @Nullable KeptCaches kept) {

        /// Of requests that are turns of no conversation.
        public Figures(
                @Nullable Double ttftMillis,
                @Nullable Double tpotMillis,
                double tokensPerSecond,
                double tokensPerSecondPerDevice,
                @Nullable Double qps,
                double sustainedQps,
                @Nullable Double requestLatencyMillis) {
            this(
                    ttftMillis,
                    tpotMillis,
                    tokensPerSecond,
                    tokensPerSecondPerDevice,
                    qps,
                    sustainedQps,
                    requestLatencyMillis,
                    null);
        }

        /// Of a phase by itself.
        public Figures(
                @Nullable Double ttftMillis,
                @Nullable Double tpotMillis,
                double tokensPerSecond,
                double tokensPerSecondPerDevice,
                @Nullable Double qps,
                double sustainedQps) {
            this(ttftMillis, tpotMillis, tokensPerSecond, tokensPerSecondPerDevice, qps, sustainedQps, null, null);
        }
    }

    /// @param effectiveInputLength input tokens not found in the prefix cache; for a mixed batch their mean
    /// @param maxBatchedTokens token budget of one prefill pass
    /// @param chunks pieces the effective input is cut into; 0 in decode
    public record PrefillPlan(int effectiveInputLength, int maxBatchedTokens, int chunks) {}

    /// Shares of each phase that the row covers.
    public record Breakdowns(
            @Nullable BoundShares prefill, @Nullable BoundShares decode) {}

    /// Requests of one input length in a mixed batch.
    ///
    /// @param inputTokens representative input length
    /// @param queryLength input tokens not found in the prefix cache
    /// @param decoding of requests that decode, where these are not alike
    /// @param requestRatio share of all requests, and where they decode of all slots, rounded to 3 decimals
    /// @param samples requests over all data parallel ranks
    public record CompositionRow(
            int inputTokens,
            int queryLength,
            LengthSamples.@Nullable Decoding decoding,
            double requestRatio,
            long samples) {}

    public ResultRow {
        composition = List.copyOf(composition);
        binds = Set.copyOf(binds);
    }

    /// Whether it speaks of too few of the requests to be compared with rows that speak of all: of less than 95 % under
    /// accounting `corrected`. Accounting `documented` ranks as the reference does.
    boolean leavesOutTooMuch() {
        return !candidate.terms().accounting().isReference() && leftOutRatio > MOST_LEFT_OUT;
    }

    public ParallelLayout layout() {
        return candidate.layout();
    }

    ResultRow withRank(int place) {
        return new ResultRow(
                place,
                candidate,
                batchSize,
                concurrency,
                figures,
                prefill,
                breakdowns,
                memory,
                composition,
                leftOutRatio,
                binds);
    }

    /// The same with what binds it.
    public ResultRow withBinds(Set<BindingLimit> limits) {
        return new ResultRow(
                rank,
                candidate,
                batchSize,
                concurrency,
                figures,
                prefill,
                breakdowns,
                memory,
                composition,
                leftOutRatio,
                limits);
    }
}
