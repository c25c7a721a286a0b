package io.throughputoptimizer.api.result.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.throughputoptimizer.core.search.BindingLimit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Limiting constraints of a row, by their names on the wire.
public enum BindingName {
    @JsonProperty("ttft")
    TTFT,
    @JsonProperty("tpot")
    TPOT,
    @JsonProperty("e2e_latency")
    E2E_LATENCY,
    @JsonProperty("memory")
    MEMORY,
    @JsonProperty("batch_range")
    BATCH_RANGE,
    @JsonProperty("throughput")
    THROUGHPUT,
    @JsonProperty("search")
    SEARCH,
    @JsonProperty("engine")
    ENGINE,
    @JsonProperty("measured_range")
    MEASURED_RANGE,
    @JsonProperty("least_concurrency")
    LEAST_CONCURRENCY,
    @JsonProperty("demand")
    DEMAND,
    @JsonProperty("rate")
    RATE;

    /// Description for the API.
    public static final String DESCRIPTION =
            "What keeps it from more requests at once: every limit that the next batch size breaks, of percentiles where"
                    + " limits are on one; or `batch_range`, the range asked for ends; `throughput`, those tried beyond"
                    + " deliver no more; `demand`, its share of the demand asks for no more; `search`, the search itself"
                    + " ended there, and a larger one may serve more; `engine`, the engine runs no more sequences;"
                    + " `measured_range`, the bands of more requests are wider than 1:10. With objective `tokens_per_s_per_user` what keeps"
                    + " it from fewer: `throughput`, `least_concurrency` or `batch_range`. Nothing is evaluated for it"
                    + " beyond what the search tried: `explain` looks at the next one, and at `max_batched_tokens` where"
                    + " `throughput` binds. Absent in results of earlier versions.";

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
