package io.throughputoptimizer.report.table;

import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.core.serving.Decimals;
import org.jspecify.annotations.Nullable;

/// A figure of cost model `calibrated` as people read it, with its band or the word that there is none.
///
/// @param band absent where it is uncalibrated
/// @param range of an Ascend device
public record BandedFigure(
        double value, @Nullable BandResponse band, @Nullable BandResponse range) {
    private static final int DECIMALS = 1;

    /// Lower end of the band, or else of the range; absent where nothing bounds it.
    public @Nullable Double low() {
        BandResponse ends = ends();
        return ends == null ? null : ends.low();
    }

    /// Upper end of the band, or else of the range; absent where nothing bounds it.
    public @Nullable Double high() {
        BandResponse ends = ends();
        return ends == null ? null : ends.high();
    }

    /// `45.7 ms (41.1 to 61.7)`, or with a range `(42.8 to 48.0, uncalibrated)`.
    public String text(String unit) {
        return number(value) + (unit.isEmpty() ? "" : " " + unit) + " " + spread();
    }

    /// `(41.1 to 61.7)`, or `(42.8 to 48.0, uncalibrated)`.
    String spread() {
        return spread(DECIMALS);
    }

    /// Returns the interval with this number of decimals.
    String spread(int decimals) {
        return band == null
                ? "(" + (range == null ? "" : ends(range, decimals) + ", ") + "uncalibrated)"
                : "(" + ends(band, decimals) + ")";
    }

    /// Ends of the band, else of the range, if there is any.
    public @Nullable BandResponse ends() {
        return band == null ? range : band;
    }

    public Cell cell() {
        return new Cell.Text(text(""));
    }

    private static String ends(BandResponse band, int decimals) {
        Double low = band.low();
        Double high = band.high();
        String least = low == null ? "" : Decimals.fixed(low, decimals);
        return high == null
                ? "from " + least
                : (low == null ? "up to " : least + " to ") + Decimals.fixed(high, decimals);
    }

    private static String number(double value) {
        return Decimals.fixed(value, DECIMALS);
    }
}
