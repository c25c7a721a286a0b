package io.throughputoptimizer.core.workload;

import java.util.Arrays;

/// Exact histogram of request lengths, filled one request at a time. Memory grows with the longest length, not
/// with the number of requests. Used by one thread.
public final class LengthCounts {
    /// Longest length that can be counted.
    public static final int MOST_TOKENS = 999_999;

    private static final int FIRST_SIZE = 1 << 12;

    private int[] counts = new int[FIRST_SIZE];
    private int requests;
    private int shortest = MOST_TOKENS;
    private int longest;

    /// Counts one request.
    public void add(int tokens) {
        if (tokens < 0 || tokens > MOST_TOKENS) {
            throw new IllegalArgumentException(
                    "length is " + tokens + ": a whole number from 0 to " + MOST_TOKENS + " is needed");
        }
        if (tokens >= counts.length) {
            counts = Arrays.copyOf(counts, Math.min(MOST_TOKENS + 1, Integer.highestOneBit(tokens) << 1));
        }
        counts[tokens]++;
        requests = Math.incrementExact(requests);
        shortest = Math.min(shortest, tokens);
        longest = Math.max(longest, tokens);
    }

    /// Returns the number of requests of a length.
    int of(int tokens) {
        return tokens < counts.length ? counts[tokens] : 0;
    }

    public int requests() {
        return requests;
    }

    /// Returns the shortest length counted; requires at least one request.
    public int shortest() {
        requireSome();
        return shortest;
    }

    /// Returns the longest length counted; requires at least one request.
    public int longest() {
        requireSome();
        return longest;
    }

    /// Returns the mean and the mean square of the lengths.
    public LengthMoments moments() {
        requireSome();
        double sum = 0;
        double squares = 0;
        for (int tokens = shortest; tokens <= longest; tokens++) {
            sum += (double) counts[tokens] * tokens;
            squares += (double) counts[tokens] * tokens * tokens;
        }
        return new LengthMoments(sum / requests, squares / requests);
    }

    /// Returns the shortest length that at least the given share of all requests does not exceed (nearest
    /// rank).
    ///
    /// @param share quantile, above 0, at most 1
    public int quantile(double share) {
        requireSome();
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share is " + share + ": a number above 0, up to 1, is needed");
        }
        long rank = (long) Math.ceil(share * requests);
        long below = 0;
        int tokens = shortest;
        while (below + counts[tokens] < rank) {
            below += counts[tokens];
            tokens++;
        }
        return tokens;
    }

    private void requireSome() {
        if (requests == 0) {
            throw new IllegalStateException("no request was counted");
        }
    }
}
