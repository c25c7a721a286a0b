package io.throughputoptimizer.api.result.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something that an answer assumes of the servers and their requests.
@Schema(name = "Assumption", description = "Something that an answer assumes of the servers and their requests.")
public record AssumptionResponse(
        @Schema(
                description = "What it is about.",
                allowableValues = {
                    "weights",
                    "kv_cache",
                    "engine",
                    "prefix_cache",
                    "requests",
                    "speculative_decoding",
                    "device"
                })
        Subject about,

        @Schema(
                description =
                        "What is assumed, as a clause for people, with the figures of `engine_default` where it has them.",
                example =
                        "FP8 KV cache, by a flag or the checkpoint; vllm alone takes BF16: 8473.7 tokens/s, 21.2 % less")
        String text,

        @Schema(description = "Whether the request names it; absent where nobody knows.") @Nullable
        Boolean asked,

        @Schema(
                description = "What an engine does that is told nothing, where the request leaves it open and that is"
                        + " not what is assumed.")
        @Nullable
        EngineDefaultResponse engineDefault) {

    /// Subjects of assumptions.
    public enum Subject {
        @JsonProperty("weights")
        WEIGHTS,
        @JsonProperty("kv_cache")
        KV_CACHE,
        @JsonProperty("engine")
        ENGINE,
        @JsonProperty("prefix_cache")
        PREFIX_CACHE,
        @JsonProperty("requests")
        REQUESTS,
        @JsonProperty("speculative_decoding")
        SPECULATIVE_DECODING,
        @JsonProperty("device")
        DEVICE
    }

    /// Default of an engine.
    @Schema(
            name = "EngineDefault",
            description = "What an engine does that is told nothing: it takes the number formats of the checkpoint.")
    public record EngineDefaultResponse(
            @Schema(description = "Its number format.", example = "BF16")
            String value,

            @Schema(
                    description = "Figures of the best plan with it that differ by more than 5 % from those of the"
                            + " answer, numbers of devices that differ at all; those of one request with what it leaves"
                            + " open so. Empty when none does. Requires `include=defaults`; absent where the service"
                            + " did not search it.")
            @Nullable
            List<DefaultFigureResponse> figures,

            @Schema(description = "Why the service did not search it. Requires `include=defaults`.") @Nullable
            String notSearched) {}

    /// A figure of the best plan, as assumed and by the engine's default.
    @Schema(name = "DefaultFigure", description = "A figure of the best plan, as assumed and by the engine's default.")
    public record DefaultFigureResponse(
            @Schema(
                    description = "Its name in rows, or that of the objective.",
                    allowableValues = {
                        "tokens_per_s",
                        "tokens_per_s_per_device",
                        "balanced_requests_per_s",
                        "num_devices",
                        "tokens_per_s_per_user",
                        "cost_per_million_tokens"
                    })
            String figure,

            @Schema(
                    description = "Phase whose figure it is; absent of plans as a whole.",
                    allowableValues = {"aggregation", "prefill", "decode"})
            @Nullable
            PhaseName phase,

            @Schema(description = "As assumed; absent where nothing keeps the limits.", example = "10751.8") @Nullable
            Double assumed,

            @Schema(description = "By the engine's default; absent where nothing keeps the limits.", example = "8474.2")
            @Nullable
            Double engineDefault,

            @Schema(description = "How much more than assumed it is, in percent.", example = "-21.2") @Nullable
            Double differencePercent) {}
}
