package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.ObjectiveRequest;
import io.throughputoptimizer.core.calibrated.CalibratedPoint.Uncertain;
import io.throughputoptimizer.core.search.Objective;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Ranking objective of a row and its value.
@Schema(name = "ObjectiveValue")
public record ObjectiveResponse(
        @Schema(
                allowableValues = {
                    "tokens_per_s",
                    "tokens_per_s_per_device",
                    "tokens_per_s_per_user",
                    "cost_per_million_tokens"
                })
        String name,

        @Nullable Double value,
        String unit,
        @Nullable BandResponse valueBand,
        @Nullable BandResponse valueRange) {

    /// @param objective absent where nobody asked for one
    public static @Nullable ObjectiveResponse of(@Nullable Objective objective, OptionalDouble value) {
        return objective == null
                ? null
                : new ObjectiveResponse(
                        WireFormat.name(ObjectiveRequest.Name.of(objective)),
                        value.isPresent() ? value.getAsDouble() : null,
                        unit(objective),
                        null,
                        null);
    }

    /// Returns the objective of a point of the calibrated model.
    ///
    /// @param value absent where it is infinite
    public static ObjectiveResponse uncertain(Objective objective, Optional<Uncertain> value) {
        return new ObjectiveResponse(
                WireFormat.name(ObjectiveRequest.Name.of(objective)),
                value.map(Uncertain::value).orElse(null),
                unit(objective),
                value.map(known -> BandResponse.from(known.band())).orElse(null),
                value.map(known -> BandResponse.from(known.range())).orElse(null));
    }

    private static String unit(Objective objective) {
        return switch (objective) {
            case Objective.TokensPerSecond() -> "tokens/s";
            case Objective.TokensPerSecondPerDevice() -> "tokens/s/device";
            case Objective.TokensPerSecondPerUser(var _) -> "tokens/s/user";
            case Objective.CostPerMillionTokens(var _, String currency) ->
                currency == null ? "per million tokens" : currency + " per million tokens";
        };
    }
}
