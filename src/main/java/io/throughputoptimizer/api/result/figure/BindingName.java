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

    /// Description for the API.
    public static final String DESCRIPTION =
            "Constraints that the next larger batch size would violate: targets, on percentiles"
                    + " if set, or memory. `batch_range`: end of the requested range. `throughput`: larger"
                    + " batch sizes tried add no throughput. `demand`: its share of the demand is met."
                    + " `search`: the search ended there; a larger batch size might serve more. `engine`:"
                    + " the engine's limit of running sequences. `measured_range`: prediction intervals of"
                    + " more requests are wider than 1:10. With objective `tokens_per_s_per_user` the"
                    + " constraint on fewer requests: `throughput`, `least_concurrency` or `batch_range`."
                    + " Taken from the points of the search; `explain` also evaluates the next batch size,"
                    + " and `max_batched_tokens` for `throughput`. Absent in results of earlier versions.";

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
