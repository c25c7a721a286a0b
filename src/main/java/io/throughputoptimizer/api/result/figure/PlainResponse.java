package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import org.jspecify.annotations.Nullable;

/// Figures of a row by the model alone, where `feedback` corrects them.
@Schema(name = "PlainFigures")
public record PlainResponse(
        double ttftMs,
        @Nullable BandResponse ttftMsBand,
        double tpotMs,
        @Nullable BandResponse tpotMsBand,
        double tokensPerS,
        @Nullable BandResponse tokensPerSBand) {

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
