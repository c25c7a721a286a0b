package io.throughputoptimizer.core.steady;

/// How long the steps of one rank take, in milliseconds. Each step comes in two parts, because all but attention
/// depends on the number of tokens alone, of which a simulation meets the same ones again and again. Numbers of
/// requests and tokens may be fractions. Thread-safe.
public interface StepTimes {
    /// The part of a decode step that does not read the cache.
    ///
    /// @param requests requests that get their tokens
    double decodeOutsideAttention(double requests);

    /// @param context cached tokens, summed over the requests
    double decodeAttention(double requests, double context);

    /// The part of a step over prompt tokens that does not look at earlier ones; one row of logits.
    double prefillOutsideAttention(double tokens);

    /// @param pairs causal pairs of query and key: `s s / 2` for a prompt of s tokens
    double prefillAttention(double tokens, double pairs);

    /// Tokens that a decode step gives each request in the mean; more than 1 where it verifies drafts.
    default double tokensPerStep() {
        return 1;
    }

    /// Tokens of each request that a decode step computes: the next one, and its drafts where it verifies some.
    default int tokensComputed() {
        return 1;
    }

    /// One step that gives each request its tokens.
    default double decode(double requests, double context) {
        return decodeOutsideAttention(requests) + decodeAttention(requests, context);
    }

    /// One step over prompt tokens.
    default double prefill(double tokens, double pairs) {
        return prefillOutsideAttention(tokens) + prefillAttention(tokens, pairs);
    }
}
