package io.throughputoptimizer.api.result.figure;

import org.jspecify.annotations.Nullable;

/// Bands and ranges of the figures that curves show, of a row or of a point.
public sealed interface CurveBands permits FigureBandsResponse, PointBandsResponse {
    @Nullable
    BandResponse ttftMsBand();

    @Nullable
    BandResponse ttftMsRange();

    @Nullable
    BandResponse tpotMsBand();

    @Nullable
    BandResponse tpotMsRange();

    @Nullable
    BandResponse tokensPerSBand();

    @Nullable
    BandResponse tokensPerSRange();
}
