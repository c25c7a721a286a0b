package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import org.jspecify.annotations.Nullable;

/// Figures of a row by the model alone, where `feedback` corrects them.
@Schema(name = "PlainFigures", description = "Figures of a row by the model alone, before feedback.")
public record PlainResponse(
        @Schema(description = "Time to first token in ms.") double ttftMs,

        @Schema(description = "Prediction interval of `ttft_ms`.") @Nullable
        BandResponse ttftMsBand,

        @Schema(description = "Time per output token in ms.")
        double tpotMs,

        @Schema(description = "Prediction interval of `tpot_ms`.") @Nullable
        BandResponse tpotMsBand,

        @Schema(description = "Output tokens per second.") double tokensPerS,

        @Schema(description = "Prediction interval of `tokens_per_s`.") @Nullable
        BandResponse tokensPerSBand) {

    static @Nullable PlainResponse of(CalibratedPoint at) {
        return at.ofModel()
                .map(plain -> new PlainResponse(
                        plain.ttftMillis().value(),
                        BandResponse.of(plain.ttftMillis()),
                        plain.tpotMillis().value(),
                        BandResponse.of(plain.tpotMillis()),
                        plain.tokensPerSecond().value(),
                        BandResponse.of(plain.tokensPerSecond())))
                .orElse(null);
    }
}
