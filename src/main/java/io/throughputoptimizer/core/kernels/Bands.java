package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.BandBasis.Factors;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// Prediction intervals of a row. One flag squares the interval factors; two or more square them twice.
/// Uncalibrated figures have no interval.
///
/// @param coverage share of measured figures within an interval
/// @param flags uncertainty flags of the row
/// @param tpot errors of its TPOT
/// @param ttft errors of its TTFT
public record Bands(Coverage coverage, Set<Flag> flags, Spread tpot, Spread ttft) {
    private static final String OF_THE_MEAN = " of the mean";
    private static final double WIDE = 10;

    public Bands {
        flags = Set.copyOf(flags);
    }

    /// Prediction interval of a figure, in its unit.
    ///
    /// @param low lower end
    /// @param high upper end; empty if unbounded
    /// @param basis error distribution of the interval
    public record Band(double low, OptionalDouble high, String basis) {
        /// Returns the interval shifted by a known part.
        public Band plus(double known) {
            return new Band(
                    low + known, high.isPresent() ? OptionalDouble.of(high.getAsDouble() + known) : high, basis);
        }
    }

    /// Returns the interval of a mean TPOT; empty if uncalibrated.
    public Optional<Band> ofTpot(double figure) {
        return band(figure, tpot, label(tpot));
    }

    /// Returns the interval of a mean TTFT; empty if uncalibrated.
    public Optional<Band> ofTtft(double figure) {
        return band(figure, ttft, label(ttft));
    }

    /// Returns the interval of another statistic of TPOT, such as a percentile: that of its mean.
    public Optional<Band> ofTpotStatistic(double figure) {
        return band(figure, tpot, label(tpot) + OF_THE_MEAN);
    }

    /// Returns the interval of another statistic of TTFT, such as a percentile or that of a burst: that of its
    /// mean.
    public Optional<Band> ofTtftStatistic(double figure) {
        return band(figure, ttft, label(ttft) + OF_THE_MEAN);
    }

    /// Returns the interval of a throughput, whose requests each take `TTFT + osl TPOT`: both at their ends.
    ///
    /// @param ttftMillis mean TTFT
    /// @param decodeMillis `osl` times the mean TPOT
    public Optional<Band> ofThroughput(double figure, double ttftMillis, double decodeMillis) {
        return ofThroughput(figure, ttftMillis, decodeMillis, 0);
    }

    /// Returns the interval of a throughput if a part of each request's time is known.
    ///
    /// @param ttftMillis mean TTFT without that part
    /// @param knownMillis known part of each request's time
    public Optional<Band> ofThroughput(double figure, double ttftMillis, double decodeMillis, double knownMillis) {
        if (flags.contains(Flag.UNCALIBRATED)) {
            return Optional.empty();
        }
        Factors first = factors(ttft);
        Factors others = factors(tpot);
        double work = figure * (ttftMillis + decodeMillis + knownMillis);
        return Optional.of(new Band(
                work / (ttftMillis * first.high() + decodeMillis * others.high() + knownMillis),
                OptionalDouble.of(work / (ttftMillis * first.low() + decodeMillis * others.low() + knownMillis)),
                label(ttft) + ", " + label(tpot)));
    }

    /// Returns the interval of a mean end-to-end latency: both latencies at their ends.
    ///
    /// @param ttftMillis mean TTFT without the known part
    /// @param decodeMillis mean time of the tokens after the first
    /// @param knownMillis known part of each request's time
    public Optional<Band> ofRequestLatency(double ttftMillis, double decodeMillis, double knownMillis) {
        if (flags.contains(Flag.UNCALIBRATED)) {
            return Optional.empty();
        }
        Factors first = factors(ttft);
        Factors others = factors(tpot);
        double high = atEnd(ttftMillis, first.high()) + atEnd(decodeMillis, others.high()) + knownMillis;
        return Optional.of(new Band(
                ttftMillis * first.low() + decodeMillis * others.low() + knownMillis,
                Double.isInfinite(high) ? OptionalDouble.empty() : OptionalDouble.of(high),
                label(ttft) + ", " + label(tpot)));
    }

    /// Returns the time at an end of its interval; 0 stays 0 even at an infinite end.
    private static double atEnd(double millis, double factor) {
        return millis == 0 ? 0 : millis * factor;
    }

    /// Returns whether the 90% interval of TTFT or TPOT is wider than 1:10, or uncalibrated; that of a
    /// throughput lies between both. Independent of the requested coverage.
    public boolean isWide() {
        return flags.contains(Flag.UNCALIBRATED) || isWide(ttft) || isWide(tpot);
    }

    private boolean isWide(Spread spread) {
        Factors factors = spread.factors(Coverage.NINE_TENTHS, flags);
        return factors.high() > WIDE * factors.low();
    }

    private Optional<Band> band(double figure, Spread spread, String label) {
        if (flags.contains(Flag.UNCALIBRATED)) {
            return Optional.empty();
        }
        Factors factors = factors(spread);
        OptionalDouble high =
                Double.isInfinite(factors.high()) ? OptionalDouble.empty() : OptionalDouble.of(figure * factors.high());
        return Optional.of(new Band(figure * factors.low(), high, label));
    }

    private Factors factors(Spread spread) {
        return spread.factors(coverage, flags);
    }

    private String label(Spread spread) {
        return spread.label(coverage, flags);
    }

    /// Returns the intervals of the model alone.
    public Bands ofModel() {
        return new Bands(coverage, flags, tpot.ofModel(), ttft.ofModel());
    }
}
