package io.throughputoptimizer.core.kernels;

/// Speculative decoding with a drafting layer of the model; one pass of the model verifies all drafts. With `n`
/// drafts of `b` requests and a yield of `a` tokens per step, a token of a request takes
///
///     (verify(b, C) + n draft(b, C) + requestMillis b) / a
///
/// where `verify` computes `n + 1` tokens of each request and reads the cache once, and `draft` is a pass
/// through one layer, with embedding and head.
///
/// @param drafts tokens drafted in a step, `n`; 0 without speculation
/// @param accepted mean tokens that a step yields, `a`: accepted drafts and the token after them
/// @param requestMillis time of a step per running request that kernels do not show: drafting loop, sampling,
///     commit of states
public record Speculation(int drafts, double accepted, double requestMillis) {
    /// Default per-request time, fitted on SGLang servers and used for all engines.
    public static final double USUAL_REQUEST_MILLIS = 0.16;

    public Speculation {
        if (drafts < 0 || !(accepted >= 1 && accepted <= drafts + 1) || !(requestMillis >= 0)) {
            throw new IllegalArgumentException(drafts + " drafts that yield " + accepted + " tokens a step and take "
                    + requestMillis + " ms a request: at least 0, from 1 to one more than drafts, and at least 0");
        }
    }

    /// Returns whether steps draft tokens.
    public boolean drafting() {
        return drafts > 0;
    }

    /// Times of one decode step, in milliseconds.
    ///
    /// @param verifyMillis time of the pass that verifies
    /// @param draftMillis time of all drafts
    /// @param requestMillis additional time of all requests
    public record StepParts(double verifyMillis, double draftMillis, double requestMillis) {}
}
