package io.throughputoptimizer.core.forward;

import org.jspecify.annotations.Nullable;

/// One request in a pass.
///
/// @param queryLength new tokens computed in this pass, `q`
/// @param sequenceLength context in tokens, new ones included, `s`
/// @param decode whether the request decodes (else it is in prefill)
public record Request(long queryLength, long sequenceLength, boolean decode) {
    public Request {
        if (queryLength <= 0 || sequenceLength < queryLength) {
            throw new IllegalArgumentException("query length is " + queryLength + " and sequence length "
                    + sequenceLength + ": the first must be positive, the second at least the first");
        }
    }

    /// Returns why the request cannot run with `draftTokens`, or null if it can. A decode request computes its next
    /// token and all drafts; fewer were never measured.
    public @Nullable String obstacle(int draftTokens) {
        return decode && queryLength <= draftTokens
                ? "is " + queryLength + ": at least " + (draftTokens + 1) + " is needed with " + draftTokens
                        + " draft tokens"
                : null;
    }

    public static Request prefill(long queryLength, long sequenceLength) {
        return new Request(queryLength, sequenceLength, false);
    }

    public static Request decode(long queryLength, long sequenceLength) {
        return new Request(queryLength, sequenceLength, true);
    }
}
