package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.ServingRank.StepTimes;
import java.util.Arrays;

/// Step prices of the simulations of one rank, which caches the part outside attention for each number of requests
/// and, up to a size, of prompt tokens. Several threads might price the same, with equal results.
final class StepPrices {
    private static final int MOST_TOKENS = 1 << 15;

    private final StepTimes step;
    private final double gapMillis;
    /// Cached prices; 0 if not priced yet.
    private double[] decodeOutside;

    private double[] prefillOutside = {};

    /// Creates a cache of prices.
    ///
    /// @param mostRequests expected maximum batch size of a decode step
    StepPrices(ServingRank rank, int mostRequests) {
        step = rank.step();
        gapMillis = rank.engine().stepGapMillis();
        decodeOutside = new double[mostRequests + 1];
    }

    double decode(int requests, double context) {
        return decodeAlone(requests, context) + gapMillis;
    }

    double prefill(long tokens, double pairs) {
        return prefillAlone(tokens, pairs) + gapMillis;
    }

    double mixed(int requests, double context, long tokens, double pairs) {
        return decodeAlone(requests, context) + prefillAlone(tokens, pairs) + gapMillis;
    }

    private double decodeAlone(int requests, double context) {
        double[] known = holding(decodeOutside, requests);
        decodeOutside = known;
        double outside = known[requests];
        if (outside == 0) {
            outside = step.decodeOutsideAttention(requests);
            known[requests] = outside;
        }
        return outside + step.decodeAttention(requests, context);
    }

    private double prefillAlone(long tokens, double pairs) {
        if (tokens > MOST_TOKENS) {
            return step.prefill(tokens, pairs);
        }
        double[] known = holding(prefillOutside, (int) tokens);
        prefillOutside = known;
        double outside = known[(int) tokens];
        if (outside == 0) {
            outside = step.prefillOutsideAttention(tokens);
            known[(int) tokens] = outside;
        }
        return outside + step.prefillAttention(tokens, pairs);
    }

    private static double[] holding(double[] known, int index) {
        return index < known.length ? known : Arrays.copyOf(known, 2 * index + 1);
    }
}
