package io.throughputoptimizer.core.silicon;

/// A kind of pass: its phase, and in decode how many tokens of each sequence it computes.
///
/// @param query 1 without speculation; drafts and the token after them where they are verified
record Step(Phase phase, int query) {
    /// Whether it works on prompts.
    boolean prefills() {
        return phase == Phase.PREFILL;
    }
}
