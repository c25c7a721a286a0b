package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.GoalRequest;
import io.throughputoptimizer.core.fleet.Uncertain;
import io.throughputoptimizer.core.search.Goal;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// What a row is ranked by, and for how much.
@Schema(name = "ObjectiveValue", description = "What a row is ranked by, and for how much.")
public record GoalResponse(
        @Schema(
                description = "The objective. Of a prefill instance it is `tokens_per_s` where that of the request is"
                        + " `tokens_per_s_per_user`.",
                allowableValues = {
                    "tokens_per_s",
                    "tokens_per_s_per_device",
                    "tokens_per_s_per_user",
                    "cost_per_million_tokens"
                })
        String name,

        @Schema(description = "Its figure; absent where it is infinite.", example = "0.87") @Nullable
        Double value,

        @Schema(description = "Unit of the figure.", example = "EUR per million tokens")
        String unit,

        @Schema(description = "Where the figure may lie; of rows with bands only.") @Nullable
        BandResponse valueBand,

        @Schema(description = "Its range on an Ascend device.") @Nullable
        BandResponse valueRange) {

    /// @param goal absent where nobody asked for one
    static @Nullable GoalResponse of(@Nullable Goal goal, OptionalDouble value) {
        return goal == null
                ? null
                : new GoalResponse(
                        WireFormat.name(GoalRequest.Name.of(goal)),
                        value.isPresent() ? value.getAsDouble() : null,
                        unit(goal),
                        null,
                        null);
    }

    /// Of a point on measured devices.
    ///
    /// @param value absent where it is infinite
    static GoalResponse uncertain(Goal goal, Optional<Uncertain> value) {
        return new GoalResponse(
                WireFormat.name(GoalRequest.Name.of(goal)),
                value.map(Uncertain::value).orElse(null),
                unit(goal),
                value.map(known -> BandResponse.from(known.band())).orElse(null),
                value.map(known -> BandResponse.from(known.range())).orElse(null));
    }

    private static String unit(Goal goal) {
        return switch (goal) {
            case Goal.TokensPerSecond() -> "tokens/s";
            case Goal.TokensPerSecondPerDevice() -> "tokens/s/device";
            case Goal.TokensPerSecondPerUser(var _) -> "tokens/s/user";
            case Goal.CostPerMillionTokens(var _, String currency) ->
                currency == null ? "per million tokens" : currency + " per million tokens";
        };
    }
}
