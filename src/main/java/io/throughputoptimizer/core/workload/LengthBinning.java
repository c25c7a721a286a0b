package io.throughputoptimizer.core.workload;

import java.util.ArrayList;
import java.util.List;

/// Strategy that turns counted lengths into the bins of a [LengthDistribution]; weights are numbers of
/// requests.
///
/// Lengths without a request are in no bin, and no length is in two. A bin of a single length `l` is written as
/// `l` to `l + 1`, whose representative is `l`.
public enum LengthBinning {
    /// Bins of about equal request counts, `n` of them. The longest length has its own bin, so that the longest
    /// request is always represented; the others share `n - 1` bins, that of a length `l`, counted from 0,
    /// being `floor((n - 1) * (requests shorter than l + half of those with l) / others)`, so that a frequent
    /// length gets bins to itself. The ends of a bin are drawn in, on one side, until its midpoint is the mean
    /// of its lengths, to the nearest token: otherwise long tails would weigh far too much.
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

    /// Bins of equal width, `ceil((longest - shortest + 1) / n)`, from the shortest length on; the last bin
    /// ends at the longest.
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

    /// Requests and tokens of one bin while it is filled.
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

    /// Returns the bin index, counted from 0, of a length that has requests.
    ///
    /// @param shorter number of requests with a shorter length
    abstract int bin(int tokens, long shorter, LengthCounts counts, int most);

    abstract LengthBin bin(Run run, LengthCounts counts, int most);

    /// Returns at most `most` bins that hold all counted requests; requires at least one request.
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
