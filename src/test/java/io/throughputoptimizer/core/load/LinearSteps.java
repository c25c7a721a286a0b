package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.ServingRank.StepTimes;

/// Steps whose time is linear: decode `a + c n + d context`, prefill `b0 + b tokens + e pairs`.
record LinearSteps(Decode decode, Prefill prefill) implements StepTimes {

    record Decode(double fixed, double perRequest, double perContext) {}

    record Prefill(double fixed, double perToken, double perPair) {}

    @Override
    public double decodeOutsideAttention(double requests) {
        return decode.fixed + decode.perRequest * requests;
    }

    @Override
    public double decodeAttention(double requests, double context) {
        return decode.perContext * context;
    }

    @Override
    public double prefillOutsideAttention(double tokens) {
        return prefill.fixed + prefill.perToken * tokens;
    }

    @Override
    public double prefillAttention(double tokens, double pairs) {
        return prefill.perPair * pairs;
    }
}
