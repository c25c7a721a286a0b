package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.MixedPass;
import io.throughputoptimizer.core.workload.Workload;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/// The token limit of one prefill pass, and the splitting of batches that exceed it.
public enum TokenBudget {
    /// One budget for the whole instance, however many data parallel ranks share a pass. A mixed batch is never cut,
    /// so its longest request must fit the budget.
    OF_INSTANCE {
        @Override
        public List<Integer> tried(Workload workload) {
            return switch (workload.lengths()) {
                case Lengths.Fixed _ -> List.of(DEFAULT);
                case Lengths.Mixed _ -> List.of(workload.maxEffectiveInputLength());
            };
        }

        @Override
        public int least(Workload workload) {
            return switch (workload.lengths()) {
                case Lengths.Fixed _ -> 1;
                case Lengths.Mixed _ -> workload.maxEffectiveInputLength();
            };
        }

        @Override
        long ofInstance(int maxBatchedTokens, int ranks) {
            return maxBatchedTokens;
        }

        @Override
        boolean cutsMixedBatches() {
            return false;
        }
    },

    /// A budget for each data parallel rank. A mixed batch is cut into passes of it. Unless one is given 4, 2 and 1
    /// times the input length are tried.
    OF_RANK {
        @Override
        public List<Integer> tried(Workload workload) {
            int length = switch (workload.withoutSoleBin().lengths()) {
                case Lengths.Fixed fixed -> fixed.inputTokens();
                case Lengths.Mixed _ -> workload.effectiveInputLength();
            };
            return Stream.of(4L, 2L, 1L)
                    .map(times -> (int) Math.min(times * length, Integer.MAX_VALUE))
                    .toList();
        }

        @Override
        public int least(Workload workload) {
            return 1;
        }

        @Override
        long ofInstance(int maxBatchedTokens, int ranks) {
            return (long) maxBatchedTokens * ranks;
        }

        @Override
        boolean cutsMixedBatches() {
            return true;
        }
    };

    /// Default budget in tokens.
    public static final int DEFAULT = 8192;

    /// Budgets to try when the problem names none: each but the last gives way to the next when prefill runs out of
    /// memory with it at the smallest batch size.
    public abstract List<Integer> tried(Workload workload);

    /// Smallest budget with which the workload can be served.
    public abstract int least(Workload workload);

    /// Tokens that all `ranks` data parallel ranks together compute in one prefill pass.
    abstract long ofInstance(int maxBatchedTokens, int ranks);

    /// Returns whether prompts of unequal length are split over several passes.
    abstract boolean cutsMixedBatches();

    /// Passes in which a rank prefills prompts of unequal length, made one after another.
    Iterator<MixedPass> mixedPasses(List<LengthSamples> samples, int maxBatchedTokens) {
        return cutsMixedBatches()
                ? MixedPass.cut(samples, maxBatchedTokens)
                : List.of(MixedPass.whole(samples)).iterator();
    }

    /// Returns the number of [#mixedPasses].
    long mixedPassCount(List<LengthSamples> samples, int maxBatchedTokens) {
        return cutsMixedBatches() ? MixedPass.count(samples, maxBatchedTokens) : 1;
    }
}
