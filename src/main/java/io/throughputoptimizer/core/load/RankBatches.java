package io.throughputoptimizer.core.load;

/// Range of batch sizes to try on one rank, both ends included.
public record RankBatches(int least, int most) {
    /// Highest number of sequences that any engine of the catalog runs on a rank by default.
    public static final int MOST_OF_AN_ENGINE = 4096;

    public RankBatches {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException(
                    "batches are " + least + " to " + most + ": both positive, the first not above the second");
        }
    }

    /// Returns the default range for several ranks: from one request to their total maximum. Fractions of a
    /// request add up over ranks, so that together they may run more than each alone.
    ///
    /// @param maxSequences maximum sequences of the engine per rank
    public static RankBatches unasked(ServingRank rank, MeanRequest request, int ranks, int maxSequences) {
        double most = Math.min(rank.mostRunning(request), maxSequences);
        return new RankBatches(1, (int) Math.max(1, most * ranks));
    }

    /// Returns the default range of one rank, whose excess requests wait: up to the first batch size that runs
    /// only part of the time.
    ///
    /// @param maxSequences maximum sequences of the engine per rank
    public static RankBatches unaskedOfOne(ServingRank rank, MeanRequest request, int maxSequences) {
        return new RankBatches(1, (int) Math.max(1, Math.min(Math.ceil(rank.mostRunning(request)), maxSequences)));
    }
}
