package io.throughputoptimizer.core.kernels;

/// Number of entries that queries attend to.
final class SelectedPairs {
    private SelectedPairs() {}

    /// Returns the mean of `min(position, most)` over the positions of a prompt.
    static double capped(double length, double most) {
        return length <= most ? length / 2 : most - most * most / (2 * length);
    }

    /// Returns the length of prompts with `tokens` total tokens and `pairs` visible pairs; for a chunk of `x`
    /// after `c` tokens `2 c + x`.
    static double length(double tokens, double pairs) {
        return 2 * pairs / tokens;
    }
}
