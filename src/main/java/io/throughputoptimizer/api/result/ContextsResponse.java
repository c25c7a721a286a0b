package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Longest requests on each layout of an optimization, and the number of requests of one length that it
/// holds.
@Schema(name = "Contexts")
public record ContextsResponse(
        int modelContextTokens,
        long concurrency,
        long contextTokens,
        List<LayoutResponse> layouts,
        @Nullable Long omittedLayouts) {
    static final int MOST_LAYOUTS = 2000;

    /// Requests that fit one layout.
    @Schema(name = "LayoutContext")
    public record LayoutResponse(
            String device,
            PhaseName phase,
            int numDevices,
            ParallelResponse parallel,
            @Nullable Long longestContextTokens,
            @Nullable Long memoryContextTokens,
            @Nullable Long mostRequests,
            @Nullable Double requestsAdmitted,
            @Nullable Double requestsHeld,
            @Nullable String obstacle) {}
}
