package io.throughputoptimizer.core.silicon;

/// How many entries queries attend to.
final class SelectedPairs {
    private SelectedPairs() {}

    /// Mean of `min(position, most)` over the positions of a prompt.
    static double capped(double length, double most) {
        return length <= most ? length / 2 : most - most * most / (2 * length);
    }

    /// Length of prompts of together `tokens` tokens that see `pairs`; of a chunk `x` after `c`
    /// tokens `2 c + x`.
    static double length(double tokens, double pairs) {
        return 2 * pairs / tokens;
    }
}
