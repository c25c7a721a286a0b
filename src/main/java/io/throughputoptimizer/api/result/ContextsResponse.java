package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Longest requests on each layout of an optimization, and the number of requests of one length that it
/// holds.
@Schema(
        name = "Contexts",
        description = "Maximum context length of each layout of an optimization, and the number of requests"
                + " of a given length. The tokens of a request are its prompt and its whole response.")
public record ContextsResponse(
        @Schema(description = "Most tokens of a request that the model is made for.", example = "131072")
        int modelContextTokens,

        @Schema(description = "Concurrency for `longest_context_tokens`.", example = "1")
        long concurrency,

        @Schema(
                description = "Tokens of each request counted by `most_requests`. Default: the longest request of"
                        + " the optimization.",
                example = "5000")
        long contextTokens,

        @Schema(description = "Layouts, one entry each.") List<LayoutResponse> layouts,

        @Schema(
                description = "Layouts beyond the first " + ContextsResponse.MOST_LAYOUTS
                        + ", which are left out; absent when there are none.")
        @Nullable
        Long omittedLayouts) {
    static final int MOST_LAYOUTS = 2000;

    /// Requests that fit one layout.
    @Schema(name = "LayoutContext", description = "Requests that fit the memory of one layout.")
    public record LayoutResponse(
            @Schema(description = "Name of the kind of device.", example = "H100_SXM")
            String device,

            @Schema(
                    description = "Phase of the instance. Prefill instances hold the prompt that each data parallel"
                            + " rank processes.")
            PhaseName phase,

            @Schema(description = "Devices of one instance.", example = "4")
            int numDevices,

            @Schema(description = "Parallel layout of the instance.")
            ParallelResponse parallel,

            @Schema(
                    description = "Maximum tokens of each of `concurrency` requests. Limited by the model's context"
                            + " unless the optimization allows longer requests. Absent if no length fits.",
                    example = "131072")
            @Nullable
            Long longestContextTokens,

            @Schema(
                    description = "Maximum tokens by memory alone. Absent if no length fits or the memory sets no"
                            + " limit.",
                    example = "204311")
            @Nullable
            Long memoryContextTokens,

            @Schema(
                    description = "Maximum concurrency of an instance at `context_tokens`, by memory alone. Absent if"
                            + " the memory sets no limit or the layout is impossible.",
                    example = "40")
            @Nullable
            Long mostRequests,

            @Schema(
                    description = "Requests of `context_tokens` that the engine admits concurrently, over all data"
                            + " parallel ranks of an instance of `most_requests` sequences. Requires `cost_model:"
                            + " calibrated`; absent if the memory law does not cover the model.",
                    example = "40.3")
            @Nullable
            Double requestsAdmitted,

            @Schema(
                    description = "Requests of `context_tokens` that the KV caches of such an instance hold once their"
                            + " prompts are read. `most_requests` follows from this number. Requires `cost_model:"
                            + " calibrated`, as `requests_admitted`.",
                    example = "40.6")
            @Nullable
            Double requestsHeld,

            @Schema(description = "Reason why the layout is impossible. Absent if it is possible.") @Nullable
            String obstacle) {}
}
