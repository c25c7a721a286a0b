package io.throughputoptimizer.core.steady;

/// How many requests one rank is tried with, both ends included.
public record RankBatches(int least, int most) {
    /// Most sequences that any engine of the catalogue runs on a rank unless a request says otherwise.
    public static final int MOST_OF_AN_ENGINE = 4096;

    public RankBatches {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException(
                    "batches are " + least + " to " + most + ": both positive, the first not above the second");
        }
    }

    /// From one request to as many as run at once on a number of ranks. Ranks share what is left of their room, so that
    /// they may run more together than each by itself.
    ///
    /// @param maxSequences most that the engine runs on a rank
    public static RankBatches unasked(ServingRank rank, MeanRequest request, int ranks, int maxSequences) {
        double most = Math.min(rank.mostRunning(request), maxSequences);
        return new RankBatches(1, (int) Math.max(1, most * ranks));
    }

    /// The same of one rank by itself, where others wait while as many run as can: up to the first that runs part of
    /// the time only.
    ///
    /// @param maxSequences most that the engine runs on a rank
    public static RankBatches unaskedOfOne(ServingRank rank, MeanRequest request, int maxSequences) {
        return new RankBatches(1, (int) Math.max(1, Math.min(Math.ceil(rank.mostRunning(request)), maxSequences)));
    }

    /// Of that many ranks together.
    RankBatches times(int ranks) {
        return new RankBatches(Math.multiplyExact(least, ranks), Math.multiplyExact(most, ranks));
    }
}
