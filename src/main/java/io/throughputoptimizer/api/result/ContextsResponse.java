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
        description = "How long requests may get on each layout that an optimization tries, and how many of a length it"
                + " holds. A request has as many tokens as its prompt and its whole answer together.")
public record ContextsResponse(
        @Schema(description = "Most tokens of a request that the model is made for.", example = "131072")
        int modelContextTokens,

        @Schema(description = "Requests at once for which `longest_context_tokens` is.", example = "1")
        long concurrency,

        @Schema(
                description = "Tokens of each of the requests that `most_requests` counts: those of the longest request"
                        + " of the optimization unless others are asked about.",
                example = "5000")
        long contextTokens,

        @Schema(description = "One entry for each layout that is tried.")
        List<LayoutResponse> layouts,

        @Schema(
                description = "Layouts beyond the first " + ContextsResponse.MOST_LAYOUTS
                        + ", which are left out; absent when there are none.")
        @Nullable
        Long omittedLayouts) {
    static final int MOST_LAYOUTS = 2000;

    /// Requests that fit one layout.
    @Schema(name = "LayoutContext", description = "What fits the memory of one layout.")
    public record LayoutResponse(
            @Schema(description = "Name of the kind of device.", example = "H100_SXM")
            String device,

            @Schema(
                    description = "What the instance does. Those that prefill hold the prompt that each data parallel"
                            + " rank works on.")
            PhaseName phase,

            @Schema(description = "Devices of one instance.", example = "4")
            int numDevices,

            @Schema(description = "How the devices are split.")
            ParallelResponse parallel,

            @Schema(
                    description = "Most tokens of each of `concurrency` requests at once: within the context of the"
                            + " model unless the optimization allows requests beyond it; absent where the memory holds"
                            + " none of any length.",
                    example = "131072")
            @Nullable
            Long longestContextTokens,

            @Schema(
                    description = "The same by memory alone; absent also where the memory sets no limit.",
                    example = "204311")
            @Nullable
            Long memoryContextTokens,

            @Schema(
                    description = "Most requests of `context_tokens` at once on an instance, by memory alone; absent"
                            + " where the memory sets no limit, and where the layout is impossible.",
                    example = "40")
            @Nullable
            Long mostRequests,

            @Schema(
                    description = "Requests of `context_tokens` that the engine admits at once on an instance of"
                            + " `most_requests` sequences: of all its data parallel ranks. Requires `cost_model:"
                            + " calibrated`; absent where the memory law does not cover the model.",
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

            @Schema(description = "Why there is no such layout; absent where there is.") @Nullable
            String obstacle) {}
}
