package io.throughputoptimizer.api.result.figure;

import io.throughputoptimizer.core.search.BindingLimit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Limiting constraints of a row, by their names on the wire.
public enum BindingName {
    TTFT,
    TPOT,
    E2E_LATENCY,
    MEMORY,
    BATCH_RANGE,
    THROUGHPUT,
    SEARCH,
    ENGINE,
    MEASURED_RANGE,
    LEAST_CONCURRENCY,
    DEMAND,
    RATE;

    private static BindingName of(BindingLimit limit) {
        return switch (limit) {
            case TTFT -> TTFT;
            case TPOT -> TPOT;
            case E2E_LATENCY -> E2E_LATENCY;
            case MEMORY -> MEMORY;
            case BATCH_RANGE -> BATCH_RANGE;
            case THROUGHPUT -> THROUGHPUT;
            case SEARCH -> SEARCH;
            case ENGINE -> ENGINE;
            case MEASURED_RANGE -> MEASURED_RANGE;
            case LEAST_CONCURRENCY -> LEAST_CONCURRENCY;
            case DEMAND -> DEMAND;
            case RATE -> RATE;
            case MAX_BATCHED_TOKENS, MODEL ->
                throw new IllegalArgumentException("limit is " + limit + ": no search of a row finds it");
        };
    }

    /// In the order of their names above; absent where nothing is known.
    public static @Nullable List<BindingName> of(Set<BindingLimit> limits) {
        return limits.isEmpty()
                ? null
                : limits.stream().sorted().map(BindingName::of).toList();
    }
}
