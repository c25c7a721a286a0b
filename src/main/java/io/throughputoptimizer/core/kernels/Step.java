package io.throughputoptimizer.core.kernels;

/// Kind of pass: its phase, and in decode the tokens computed per sequence.
///
/// @param query 1 without speculation; otherwise the drafts and the token after them
record Step(Phase phase, int query) {
    /// Returns whether the step prefills prompts.
    boolean prefills() {
        return phase == Phase.PREFILL;
    }
}
