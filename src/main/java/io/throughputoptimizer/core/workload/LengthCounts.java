package io.throughputoptimizer.core.workload;

import java.util.Arrays;

/// How many requests have which length, counted one after another. Takes as much memory as the longest length has
/// values, however many requests there are, so that all that is said of them is exact. Used by one thread.
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

    /// Requests of that length.
    int of(int tokens) {
        return tokens < counts.length ? counts[tokens] : 0;
    }

    public int requests() {
        return requests;
    }

    /// Of all requests; there must be one.
    public int shortest() {
        requireSome();
        return shortest;
    }

    /// Of all requests; there must be one.
    public int longest() {
        requireSome();
        return longest;
    }

    /// Mean and mean square.
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

    /// The shortest length that at least that share of all requests does not exceed (nearest rank).
    ///
    /// @param share above 0, up to 1
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
