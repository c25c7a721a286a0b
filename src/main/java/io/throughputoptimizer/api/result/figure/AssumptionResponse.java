package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something that an answer assumes of the servers and their requests.
@Schema(name = "Assumption", description = "Something that an answer assumes of the servers and their requests.")
public record AssumptionResponse(
        @Schema(
                description = "Subject of the assumption.",
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

        @Schema(
                description = "The assumption as a clause, with the figures of `engine_default` if known.",
                example =
                        "FP8 KV cache, by a flag or the checkpoint; vllm alone takes BF16: 8473.7 tokens/s, 21.2 % less")
        String text,

        @Schema(description = "True if the request sets the value. Absent if unknown.") @Nullable
        Boolean asked,

        @Schema(
                description = "Default of the engine, if the request leaves the value open and the default differs"
                        + " from the assumption.")
        @Nullable
        EngineDefaultResponse engineDefault) {

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
    @Schema(
            name = "EngineDefault",
            description = "Default of the engine, which takes the number formats from the checkpoint.")
    public record EngineDefaultResponse(
            @Schema(description = "Number format of the default.", example = "BF16")
            String value,

            @Schema(
                    description = "Figures of the best plan with the engine's default that differ from the result by"
                            + " over 5%; numbers of devices, by any amount. The figures of one request apply the"
                            + " default where it leaves the value open. Empty if none differ. Requires"
                            + " `include=defaults`; absent if not searched.")
            @Nullable
            List<DefaultFigureResponse> figures,

            @Schema(description = "Reason why the service did not search the default.") @Nullable
            String notSearched) {}

    /// A figure of the best plan, as assumed and by the engine's default.
    @Schema(name = "DefaultFigure", description = "A figure of the best plan, as assumed and by the engine's default.")
    public record DefaultFigureResponse(
            @Schema(
                    description = "Field name in rows, or name of the objective.",
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

            @Schema(description = "Value with the assumption. Absent if no plan is feasible.", example = "10751.8")
            @Nullable
            Double assumed,

            @Schema(description = "Value with the engine's default. Absent if no plan is feasible.", example = "8474.2")
            @Nullable
            Double engineDefault,

            @Schema(description = "Difference to the assumed value in percent.", example = "-21.2") @Nullable
            Double differencePercent) {}
}
