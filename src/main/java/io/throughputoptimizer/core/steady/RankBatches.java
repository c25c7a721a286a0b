package io.throughputoptimizer.core.steady;

/// How many requests one rank is tried with, both ends included.
public record RankBatches(int least, int most) {
    /// Most requests of a rank that are tried unless others are asked for: no server that was measured ran more.
    public static final int MOST_UNASKED = 512;

    public RankBatches {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException(
                    "batches are " + least + " to " + most + ": both positive, the first not above the second");
        }
    }

    /// From one request to as many as run at once on a number of ranks, at most 512 on each. Ranks share what is left
    /// of their room, so that they may run more together than each by itself.
    public static RankBatches unasked(ServingRank rank, MeanRequest request, int ranks) {
        double most = Math.min(rank.mostRunning(request), MOST_UNASKED);
        return new RankBatches(1, (int) Math.max(1, most * ranks));
    }

    /// The same of one rank by itself, where others wait while as many run as can: up to the first that runs part of
    /// the time only.
    public static RankBatches unaskedOfOne(ServingRank rank, MeanRequest request) {
        return new RankBatches(1, (int) Math.max(1, Math.min(Math.ceil(rank.mostRunning(request)), MOST_UNASKED)));
    }

    /// Of that many ranks together.
    RankBatches times(int ranks) {
        return new RankBatches(Math.multiplyExact(least, ranks), Math.multiplyExact(most, ranks));
    }
}
