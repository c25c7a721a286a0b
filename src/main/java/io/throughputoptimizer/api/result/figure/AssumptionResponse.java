package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something that an answer assumes of the servers and their requests.
@Schema(name = "Assumption")
public record AssumptionResponse(
        @Schema(
                allowableValues = {
                    "weights",
                    "kv_cache",
                    "engine",
                    "prefix_cache",
                    "requests",
                    "speculative_decoding",
                    "device",
                    "cost_model"
                })
        Subject about,

        String text,
        @Nullable Boolean asked,
        @Nullable EngineDefaultResponse engineDefault) {

    /// Subjects of assumptions.
    public enum Subject {
        WEIGHTS,
        KV_CACHE,
        ENGINE,
        PREFIX_CACHE,
        REQUESTS,
        SPECULATIVE_DECODING,
        DEVICE,
        COST_MODEL
    }

    /// Default of an engine.
    @Schema(name = "EngineDefault")
    public record EngineDefaultResponse(
            String value,
            @Nullable List<DefaultFigureResponse> figures,
            @Nullable String notSearched) {}

    /// A figure of the best plan, as assumed and by the engine's default.
    @Schema(name = "DefaultFigure")
    public record DefaultFigureResponse(
            @Schema(
                    allowableValues = {
                        "tokens_per_s",
                        "tokens_per_s_per_device",
                        "balanced_requests_per_s",
                        "num_devices",
                        "tokens_per_s_per_user",
                        "cost_per_million_tokens"
                    })
            String figure,

            @Schema(allowableValues = {"aggregation", "prefill", "decode"}) @Nullable
            PhaseName phase,

            @Nullable Double assumed,
            @Nullable Double engineDefault,
            @Nullable Double differencePercent) {}
}
