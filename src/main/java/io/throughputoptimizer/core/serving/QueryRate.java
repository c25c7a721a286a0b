package io.throughputoptimizer.core.serving;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Requests per second of one disaggregated phase.
public final class QueryRate {
    private QueryRate() {}

    /// Prefill: `concurrency / ttft * 1000`. Decode: `concurrency / (tpot * output) * 1000`. Empty unless
    /// concurrency and exactly one of the latencies are positive.
    public static OptionalDouble of(
            long concurrency, @Nullable Double ttftMillis, @Nullable Double tpotMillis, double outputTokens) {
        double ttft = ttftMillis == null ? 0 : ttftMillis;
        double tpot = tpotMillis == null ? 0 : tpotMillis;
        if (concurrency <= 0 || (ttft > 0) == (tpot > 0)) {
            return OptionalDouble.empty();
        }
        if (ttft > 0) {
            return OptionalDouble.of(concurrency / ttft * 1000);
        }
        return outputTokens > 0
                ? OptionalDouble.of(concurrency / (tpot * outputTokens) * 1000)
                : OptionalDouble.empty();
    }
}
