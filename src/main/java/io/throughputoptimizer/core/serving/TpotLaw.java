package io.throughputoptimizer.core.serving;

/// TPOT and throughput of an aggregated instance that prefills and then decodes, of TTFT and the time `D` in ms of
/// one output token without any share of TTFT. Of requests that generate unequally many tokens, the mean number counts:
/// a slot then completes `1 / E(TTFT + D out)` requests per ms (renewal reward), and TPOT is the mean time of a request
/// over its mean tokens.
public enum TpotLaw {
    /// Throughput counts TTFT twice: separately and as part of TPOT.
    TTFT_TWICE {
        @Override
        double requestMillis(double ttftMillis, double decodeMillis, double outputTokens) {
            return ttftMillis + tpotMillis(ttftMillis, decodeMillis, outputTokens) * outputTokens;
        }
    },

    /// Throughput counts TTFT once.
    TTFT_ONCE {
        @Override
        double requestMillis(double ttftMillis, double decodeMillis, double outputTokens) {
            return ttftMillis + decodeMillis * outputTokens;
        }
    };

    /// `(ttft + D out) / out` in ms, of `out` output tokens: TTFT is shared out over the tokens.
    double tpotMillis(double ttftMillis, double decodeMillis, double outputTokens) {
        return (ttftMillis + decodeMillis * outputTokens) / outputTokens;
    }

    /// Time in ms that the instance is taken to spend on a batch, when throughput is worked out.
    abstract double requestMillis(double ttftMillis, double decodeMillis, double outputTokens);
}
