package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.serving.ServingTerms;
import io.throughputoptimizer.core.workload.LengthSamples;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A recorded configuration and its figures.
///
/// @param rank rank in its table from 1; absent in unranked lists
/// @param batchSize requests per data parallel rank
/// @param concurrency requests of the whole instance
/// @param figures latencies and throughputs, rounded to 3 decimals; requests per second are not rounded
/// @param prefill effective input, token budget and number of chunks
/// @param breakdowns time breakdown of each phase
/// @param memory footprint of the pass with the least free memory
/// @param composition parts of the mixed batch, ordered by input length; empty for fixed lengths
/// @param omittedRatio share of all requests whose lengths the mixed batch is too small for, rounded to 6
///     decimals
/// @param binds limiting constraints of the batch size, as far as its search knows: every limit that the next
///     batch size exceeds, or another reason; empty if unknown
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
        double omittedRatio,
        Set<BindingLimit> binds) {

    private static final double MOST_LEFT_OUT = 0.05;

    /// Plan of the prefill.
    ///
    /// @param effectiveInputLength input tokens not found in the prefix cache; their mean for a mixed batch
    /// @param maxBatchedTokens token budget of one prefill pass
    /// @param chunks number of chunks of the effective input; 0 in decode
    public record PrefillPlan(int effectiveInputLength, int maxBatchedTokens, int chunks) {}

    /// Time breakdown of each phase that the row covers.
    public record Breakdowns(
            @Nullable BoundShares prefill, @Nullable BoundShares decode) {}

    /// Requests of one input length in a mixed batch.
    ///
    /// @param inputTokens representative input length
    /// @param queryLength input tokens not found in the prefix cache
    /// @param decoding output and context of decoding requests if they differ
    /// @param requestRatio share of all requests, or of all slots in decode, rounded to 3 decimals
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

    /// Returns whether the row covers too few requests, less than 95%, to be compared with complete rows.
    /// Accounting `documented` ranks like the reference, so it always returns false.
    boolean leavesOutTooMuch() {
        return !candidate.terms().accounting().isReference() && omittedRatio > MOST_LEFT_OUT;
    }

    /// Returns the requests per second of a disaggregated phase by its rounded latency, as tables show it; absent
    /// for aggregated instances.
    public @Nullable Double requestsPerS() {
        ServingTerms terms = candidate.terms();
        OptionalDouble requestsPerS = terms.accounting()
                .requestsPerS(concurrency, figures, terms.workload().outputs().mean());
        return requestsPerS.isPresent() ? requestsPerS.getAsDouble() : null;
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
                omittedRatio,
                binds);
    }

    /// Returns a copy with limiting constraints.
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
                omittedRatio,
                limits);
    }
}
