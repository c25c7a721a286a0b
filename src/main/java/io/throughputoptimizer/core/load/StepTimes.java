package io.throughputoptimizer.core.load;

/// Step times of one rank, in milliseconds. Each step has two parts, because everything except attention
/// depends on the number of tokens alone, and simulations meet the same numbers repeatedly. Numbers of requests
/// and tokens may be fractional. Thread-safe.
public interface StepTimes {
    /// Returns the time of a decode step outside attention.
    ///
    /// @param requests requests that get their tokens
    double decodeOutsideAttention(double requests);

    /// Returns the attention time of a decode step.
    ///
    /// @param context cached tokens, summed over the requests
    double decodeAttention(double requests, double context);

    /// Returns the time of a prefill step outside attention; one row of logits.
    double prefillOutsideAttention(double tokens);

    /// Returns the attention time of a prefill step.
    ///
    /// @param pairs causal pairs of query and key: `s s / 2` for a prompt of s tokens
    double prefillAttention(double tokens, double pairs);

    /// Returns the mean tokens that a decode step yields per request; more than 1 with drafts.
    default double tokensPerStep() {
        return 1;
    }

    /// Returns the tokens that a decode step computes per request: the next one and its drafts.
    default int tokensComputed() {
        return 1;
    }

    /// Returns the time of one decode step.
    default double decode(double requests, double context) {
        return decodeOutsideAttention(requests) + decodeAttention(requests, context);
    }

    /// Returns the time of one prefill step.
    default double prefill(double tokens, double pairs) {
        return prefillOutsideAttention(tokens) + prefillAttention(tokens, pairs);
    }
}
