package io.throughputoptimizer.core.load;

import java.util.OptionalInt;

/// Lengths between a share of the longest and the longest: a stand-in for independent uniform draws that needs no
/// seed. Request `i = 0, 1, ...` has `lo + floor(u (L - lo + 1))` tokens with `u = frac(0.5 + (i + 1) s)` and
/// `lo = max(1, floor(ratio L))`; the steps `s` are powers of the plastic number's reciprocal, which spread inputs and
/// outputs evenly over the plane.
///
/// @param inputTokens longest prompt
/// @param outputTokens longest output
/// @param ratio shortest as a share of the longest, above 0 and at most 1
public record SpreadLengths(int inputTokens, int outputTokens, double ratio) implements RequestLengths {
    private static final double INPUT_STEP = 0.7548776662466927;
    private static final double OUTPUT_STEP = 0.5698402909980532;

    public SpreadLengths {
        if (inputTokens < 1 || outputTokens < 1 || !(ratio > 0 && ratio <= 1)) {
            throw new IllegalArgumentException("lengths of " + inputTokens + " and " + outputTokens + " tokens, ratio "
                    + ratio + ": at least 1 each, the ratio above 0 and at most 1");
        }
    }

    @Override
    public int input(int request) {
        return draw(inputPosition(request), inputTokens);
    }

    @Override
    public int output(int request) {
        return draw(outputPosition(request), outputTokens);
    }

    @Override
    public int longestInput() {
        return inputTokens;
    }

    @Override
    public int longestOutput() {
        return outputTokens;
    }

    @Override
    public boolean areEqual() {
        return ratio == 1;
    }

    @Override
    public OptionalInt namedInput() {
        return OptionalInt.of(inputTokens);
    }

    @Override
    public OptionalInt namedOutput() {
        return OptionalInt.of(outputTokens);
    }

    @Override
    public SpreadLengths withInput(int tokens) {
        return new SpreadLengths(tokens, outputTokens, ratio);
    }

    /// Returns the mean request, `(1 + ratio) / 2` of the longest.
    @Override
    public MeanRequest mean(double prefixHitRate) {
        return new MeanRequest((1 + ratio) / 2 * inputTokens, (1 + ratio) / 2 * outputTokens, prefixHitRate, null);
    }

    /// Returns the position of a request's prompt in the range of lengths, from 0 to less than 1.
    static double inputPosition(int request) {
        return position(request, INPUT_STEP);
    }

    /// Returns the position of a request's output in the range of lengths, from 0 to less than 1.
    static double outputPosition(int request) {
        return position(request, OUTPUT_STEP);
    }

    private static double position(int request, double step) {
        double position = 0.5 + (request + 1) * step;
        return position - Math.floor(position);
    }

    private int draw(double position, int longest) {
        int shortest = Math.max(1, (int) (longest * ratio));
        return shortest + (int) (position * (longest - shortest + 1));
    }
}
