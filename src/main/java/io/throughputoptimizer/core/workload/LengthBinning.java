package io.throughputoptimizer.core.workload;

import java.util.ArrayList;
import java.util.List;

/// How lengths that were counted become the bins of a [LengthDistribution], whose weights are numbers of requests.
///
/// Lengths without a request are in no bin, and no length is in two. A bin of a single length `l` is written as `l` to
/// `l + 1`, since that is what `l` stands for.
public enum LengthBinning {
    /// About as many requests in each of `n` bins. The longest length has one of its own, so that nobody who asks
    /// for the longest request overlooks it; the others share `n - 1`, that of a length `l`, counted from 0, being
    /// `floor((n - 1) * (requests shorter than l + half of those with l) / others)`, so that a length of many
    /// requests has bins to itself. The ends of a bin are drawn in, on one side, until its middle is the mean of
    /// its lengths, to the nearest token: long tails would else weigh far too much.
    EQUAL_WEIGHT {
        @Override
        int bin(int tokens, long shorter, LengthCounts counts, int most) {
            if (most == 1) {
                return 0;
            }
            if (tokens == counts.longest()) {
                return most;
            }
            long others = (long) counts.requests() - counts.of(counts.longest());
            return Math.toIntExact((most - 1) * (2 * shorter + counts.of(tokens)) / (2 * others));
        }

        @Override
        LengthBin bin(Run run, LengthCounts counts, int most) {
            int mean = (int) Math.round((double) run.tokens / run.requests);
            boolean low = 2L * mean <= (long) run.first + run.last;
            int from = low ? run.first : 2 * mean - run.last;
            int to = low ? 2 * mean - run.first : run.last;
            return most == 1
                    ? new LengthBin(run.first, Math.max(run.last, run.first + 1), run.requests)
                    : new LengthBin(from, Math.max(to, from + 1), run.requests);
        }
    },

    /// As many lengths in each bin, `ceil((longest - shortest + 1) / n)`, from the shortest length on; only the last
    /// one ends at the longest.
    EQUAL_WIDTH {
        @Override
        int bin(int tokens, long shorter, LengthCounts counts, int most) {
            return (tokens - counts.shortest()) / width(counts, most);
        }

        @Override
        LengthBin bin(Run run, LengthCounts counts, int most) {
            int width = width(counts, most);
            int from = counts.shortest() + run.bin * width;
            return new LengthBin(from, Math.max(Math.min(from + width, counts.longest()), from + 1), run.requests);
        }

        private static int width(LengthCounts counts, int most) {
            return Math.ceilDiv(counts.longest() - counts.shortest() + 1, most);
        }
    };

    /// Lengths of one bin.
    static final class Run {
        private final int bin;
        private final int first;
        private int last;
        private long requests;
        private long tokens;

        private Run(int bin, int first) {
            this.bin = bin;
            this.first = first;
        }

        private void add(int length, int count) {
            last = length;
            requests += count;
            tokens += (long) length * count;
        }
    }

    /// The bin of a length that has requests, counted from 0.
    ///
    /// @param shorter requests with a shorter length
    abstract int bin(int tokens, long shorter, LengthCounts counts, int most);

    abstract LengthBin bin(Run run, LengthCounts counts, int most);

    /// At most that many bins of all requests counted, of which there must be one.
    public LengthDistribution of(LengthCounts counts, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("bins is " + most + ": at least 1 is needed");
        }
        List<Run> runs = new ArrayList<>();
        long shorter = 0;
        for (int tokens = counts.shortest(); tokens <= counts.longest(); tokens++) {
            int requests = counts.of(tokens);
            if (requests > 0) {
                int bin = bin(tokens, shorter, counts, most);
                if (runs.isEmpty() || runs.getLast().bin != bin) {
                    runs.add(new Run(bin, tokens));
                }
                runs.getLast().add(tokens, requests);
                shorter += requests;
            }
        }
        return new LengthDistribution(
                runs.stream().map(run -> bin(run, counts, most)).toList());
    }
}
