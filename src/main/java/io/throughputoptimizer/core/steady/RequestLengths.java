package io.throughputoptimizer.core.steady;

/// Lengths between a share of the longest and the longest: a stand-in for independent uniform draws that needs no
/// seed. Request `i = 0, 1, ...` has `lo + floor(u (L - lo + 1))` tokens with `u = frac(0.5 + (i + 1) s)` and
/// `lo = max(1, floor(ratio L))`; the steps `s` are powers of the plastic number's reciprocal, which spread inputs and
/// outputs evenly over the plane.
///
/// @param inputTokens longest prompt
/// @param outputTokens longest output
/// @param ratio shortest as a share of the longest, above 0 and at most 1
public record RequestLengths(int inputTokens, int outputTokens, double ratio) {
    private static final double INPUT_STEP = 0.7548776662466927;
    private static final double OUTPUT_STEP = 0.5698402909980532;

    public RequestLengths {
        if (inputTokens < 1 || outputTokens < 1 || !(ratio > 0 && ratio <= 1)) {
            throw new IllegalArgumentException("lengths of " + inputTokens + " and " + outputTokens + " tokens, ratio "
                    + ratio + ": at least 1 each, the ratio above 0 and at most 1");
        }
    }

    int input(int request) {
        return draw(request, inputTokens, INPUT_STEP);
    }

    int output(int request) {
        return draw(request, outputTokens, OUTPUT_STEP);
    }

    /// `(1 + ratio) / 2` of the longest.
    public MeanRequest mean(double prefixHitRate) {
        return new MeanRequest((1 + ratio) / 2 * inputTokens, (1 + ratio) / 2 * outputTokens, prefixHitRate);
    }

    private int draw(int request, int longest, double step) {
        int shortest = Math.max(1, (int) (longest * ratio));
        double position = 0.5 + (request + 1) * step;
        double fraction = position - Math.floor(position);
        return shortest + (int) (fraction * (longest - shortest + 1));
    }
}
