package io.throughputoptimizer.core.serving;

/// Adds the same number many times over, to the very double that adding it one by one gives.
///
/// A product would round once where the sum rounds at every step. Yet as long as the sum stays between two powers
/// of two, its spacing is fixed and every step but the first adds the same rounded amount (the first may meet a
/// tie from an odd last bit; from there on ties meet even ones). So nearly all steps there are one multiplication,
/// which is exact.
final class RepeatedSum {
    private RepeatedSum() {}

    /// `sum + term + term + ...`, `count` terms from left to right; neither number is negative.
    static double add(double sum, double term, long count) {
        double total = sum;
        long left = count;
        while (left > 0 && !Double.isInfinite(total)) {
            double first = total + term;
            double second = first + term;
            if (left < 2 || Math.getExponent(total) != Math.getExponent(second)) {
                total = first;
                left--;
            } else {
                double step = second - first;
                long jump = stepsBelowNextPowerOfTwo(second, step, left - 2);
                total = second + jump * step;
                left -= jump + 2;
            }
        }
        return total;
    }

    private static long stepsBelowNextPowerOfTwo(double from, double step, long most) {
        if (step == 0) {
            return most;
        }
        double top = Math.scalb(1.0, Math.getExponent(from) + 1);
        return Math.clamp((long) ((top - from) / step) - 1, 0, most);
    }
}
