package io.throughputoptimizer.core.silicon;

/// Tokens that a layer of the model drafts in each decode step, all verified by one pass of the model.
/// With `n` drafts of `b` requests, of which `a` tokens a step come out, a token of a request takes
///
///     (verify(b, C) + n draft(b, C) + requestMillis b) / a
///
/// where `verify` computes `n + 1` tokens of each request and reads the cache once, and `draft` is a
/// pass through one layer, with embedding and head.
///
/// @param drafts tokens drafted in a step, `n`; 0 for steps as usual
/// @param accepted tokens that a step yields in the mean, `a`: accepted drafts and the one after them
/// @param requestMillis of a step for each running request, which kernels do not show: drafting loop,
///     sampling, commit of states
public record Speculation(int drafts, double accepted, double requestMillis) {
    /// Fitted on SGLang servers, taken for all engines.
    public static final double USUAL_REQUEST_MILLIS = 0.16;

    public Speculation {
        if (drafts < 0 || !(accepted >= 1 && accepted <= drafts + 1) || !(requestMillis >= 0)) {
            throw new IllegalArgumentException(drafts + " drafts that yield " + accepted + " tokens a step and take "
                    + requestMillis + " ms a request: at least 0, from 1 to one more than drafts, and at least 0");
        }
    }

    /// Whether steps are other than usual.
    public boolean drafting() {
        return drafts > 0;
    }

    /// Times of one decode step, in milliseconds.
    ///
    /// @param verifyMillis of the pass that verifies
    /// @param draftMillis of all drafts
    /// @param requestMillis of all requests
    public record StepParts(double verifyMillis, double draftMillis, double requestMillis) {
        public double stepMillis() {
            return verifyMillis + draftMillis + requestMillis;
        }
    }
}
