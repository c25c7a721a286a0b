package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.BandBasis.Factors;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// How far the figures of one row can be trusted. A flag squares the ends of all its bands, two or more square them
/// twice; what is uncalibrated has no band.
///
/// @param coverage share of measured figures that a band holds
/// @param flags of the row
/// @param tpot errors of its TPOT
/// @param ttft errors of its TTFT
public record Bands(Coverage coverage, Set<Flag> flags, Spread tpot, Spread ttft) {
    private static final String OF_THE_MEAN = " of the mean";
    private static final double WIDE = 10;

    public Bands {
        flags = Set.copyOf(flags);
    }

    /// Where a figure may lie, in its unit.
    ///
    /// @param high empty where nothing bounds it
    /// @param basis errors that it is taken from
    public record Band(double low, OptionalDouble high, String basis) {
        /// That of a figure with a known part more.
        public Band plus(double known) {
            return new Band(
                    low + known, high.isPresent() ? OptionalDouble.of(high.getAsDouble() + known) : high, basis);
        }
    }

    /// The band of a mean TPOT; empty when it is uncalibrated.
    public Optional<Band> ofTpot(double figure) {
        return band(figure, tpot, label(tpot));
    }

    /// The band of a mean TTFT; empty when it is uncalibrated.
    public Optional<Band> ofTtft(double figure) {
        return band(figure, ttft, label(ttft));
    }

    /// The band of another statistic of TPOT, such as a percentile: that of its mean.
    public Optional<Band> ofTpotStatistic(double figure) {
        return band(figure, tpot, label(tpot) + OF_THE_MEAN);
    }

    /// The band of another statistic of TTFT, such as a percentile or that of a burst: that of its mean.
    public Optional<Band> ofTtftStatistic(double figure) {
        return band(figure, ttft, label(ttft) + OF_THE_MEAN);
    }

    /// The band of a throughput, whose requests each take `TTFT + osl TPOT`: both at their ends.
    ///
    /// @param ttftMillis mean TTFT
    /// @param decodeMillis `osl` times the mean TPOT
    public Optional<Band> ofThroughput(double figure, double ttftMillis, double decodeMillis) {
        return ofThroughput(figure, ttftMillis, decodeMillis, 0);
    }

    /// The same where a part of each request's time is known.
    ///
    /// @param ttftMillis mean TTFT without that part
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

    /// The band of a mean time of a whole answer, made of both latencies: both at their ends.
    ///
    /// @param ttftMillis mean TTFT without the part that is known
    /// @param decodeMillis that the tokens after the first take
    /// @param knownMillis part of each request's time that is known
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

    /// What takes no time takes none at any end.
    private static double atEnd(double millis, double factor) {
        return millis == 0 ? 0 : millis * factor;
    }

    /// Whether nine of ten measured figures lie further apart than 1:10, in TTFT or in TPOT, or nobody knows how far;
    /// that of a throughput lies between both. The same whatever share a band is to hold.
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

    /// Those of what the model alone says.
    public Bands ofModel() {
        return new Bands(coverage, flags, tpot.ofModel(), ttft.ofModel());
    }
}
