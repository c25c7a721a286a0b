package io.throughputoptimizer.core.steady;

/// How many requests one rank is tried with, both ends included.
public record RankBatches(int least, int most) {
    /// Most requests of a rank that a search scans unless it is asked for others.
    public static final int MOST_UNASKED = 512;

    /// Most that it goes on to where even the last of them deliver more.
    public static final int FURTHEST = 4096;

    public RankBatches {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException(
                    "batches are " + least + " to " + most + ": both positive, the first not above the second");
        }
    }

    /// From one request to as many as run at once on a number of ranks, at most so many on each. Ranks share what is
    /// left of their room, so that they may run more together than each by itself.
    public static RankBatches unasked(ServingRank rank, MeanRequest request, int ranks, int mostOfRank) {
        double most = Math.min(rank.mostRunning(request), mostOfRank);
        return new RankBatches(1, (int) Math.max(1, most * ranks));
    }

    /// The same of one rank by itself, where others wait while as many run as can: up to the first that runs part of
    /// the time only.
    public static RankBatches unaskedOfOne(ServingRank rank, MeanRequest request, int most) {
        return new RankBatches(1, (int) Math.max(1, Math.min(Math.ceil(rank.mostRunning(request)), most)));
    }

    /// Most requests of a rank that are tried unless others are asked for. Simulations of more would take too long.
    public static int furthest(Traffic traffic, ServiceLimits limits) {
        return limits.percentile() == null && traffic.canLoop(FURTHEST) ? FURTHEST : MOST_UNASKED;
    }

    /// Of that many ranks together.
    RankBatches times(int ranks) {
        return new RankBatches(Math.multiplyExact(least, ranks), Math.multiplyExact(most, ranks));
    }
}
