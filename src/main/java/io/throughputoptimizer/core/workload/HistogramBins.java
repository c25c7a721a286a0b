package io.throughputoptimizer.core.workload;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Bins of the lengths that a histogram counts, with its exact mean `S / N`.
///
/// A bucket `i` holds `n_i` lengths from `lo_i` to `hi_i` tokens. One share
/// `theta = (S - sum n_i lo_i) / sum n_i (hi_i - lo_i)` gives the means `lo_i + theta (hi_i - lo_i)`.
/// Each bin is as wide as its bucket allows around the rounded mean; the bucket with the most room takes the
/// rest of the rounding. All sums are exact.
///
/// @param requests number of lengths
/// @param mean `S / N`, in tokens
/// @param bins bins in ascending order, weights in requests
/// @param meanAfter mean of the bins, each taken for `floor((min + max) / 2)`
/// @param meanSquare mean square of the bins, in tokens squared
/// @param leastSquare least mean square of any lengths with these counts and this sum
/// @param greatestSquare greatest such mean square; null with an open bucket
/// @param buckets buckets with lengths in ascending order
/// @param open bucket without an upper end; null if there is none, or if the longest length is known
public record HistogramBins(
        long requests,
        double mean,
        List<LengthBin> bins,
        double meanAfter,
        double meanSquare,
        double leastSquare,
        @Nullable Double greatestSquare,
        List<Bucket> buckets,
        @Nullable OpenBucket open) {
    private static final long MOST_TOKENS = 1_000_000;
    private static final double LONGEST = 1e15;
    private static final int MOST_BUCKETS = 999;

    /// Lengths from `low` to `high` tokens.
    ///
    /// @param high longest length; null if unknown
    /// @param count number of lengths
    public record Bucket(long low, @Nullable Long high, double count) {}

    /// Lengths above the last edge.
    ///
    /// @param requests number of lengths
    /// @param fromTokens shortest length
    /// @param takenAs mean length, in tokens
    public record OpenBucket(double requests, long fromTokens, long takenAs) {}

    /// A histogram without bins; the message is for people.
    public static final class UnusableHistogramException extends RuntimeException {
        private UnusableHistogramException(String message) {
            super(message);
        }
    }

    /// Returns the number like `%g` of C with so many digits: `969300`, `2.138e+06`.
    public static String general(double number, int digits) {
        if (!Double.isFinite(number)) {
            return Double.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
        }
        BigDecimal rounded = new BigDecimal(number).round(new MathContext(digits, RoundingMode.HALF_EVEN));
        if (rounded.signum() == 0) {
            return "0";
        }
        BigDecimal stripped = rounded.stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < digits) {
            return stripped.toPlainString();
        }
        return stripped.movePointLeft(exponent).toPlainString()
                + String.format(Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    /// Returns the bins of a histogram of token counts.
    ///
    /// @param cumulative numbers of lengths up to each edge, with one for infinity
    /// @param sum sum of all lengths, `S`
    /// @param least shortest possible length
    /// @param longest longest possible length; null if unknown
    /// @throws UnusableHistogramException if no lengths have these counts and this sum
    public static HistogramBins of(
            NavigableMap<Double, Double> cumulative, double sum, int least, @Nullable Long longest) {
        List<Part> parts = parts(cumulative, least, longest);
        Part open = parts.isEmpty() || parts.getLast().high != null ? null : parts.getLast();
        List<Part> closed = open == null ? parts : parts.subList(0, parts.size() - 1);
        Rational total = Rational.of(sum);
        Rational low = total(parts, Part::lowest);
        Rational room = total(closed, Part::room);
        if (total.compareTo(low) < 0 || (open == null && total.compareTo(low.plus(room)) > 0)) {
            throw new UnusableHistogramException("the sum " + general(sum, 6) + " lies outside what its buckets allow, "
                    + general(low.value(), 6) + " to "
                    + (open == null ? general(low.plus(room).value(), 6) : "any") + ".");
        }
        if (parts.isEmpty() || parts.size() > MOST_BUCKETS) {
            throw new UnusableHistogramException(
                    "has " + parts.size() + " buckets with requests; allowed: 1 to " + MOST_BUCKETS + ".");
        }
        Rational share;
        Rational last = null;
        if (open == null) {
            share = room.isZero() ? Rational.ZERO : total.minus(low).over(room);
        } else {
            Rational width = Rational.of(Math.max(0, open.low - 2));
            Rational whole = room.plus(open.count.times(width));
            share = whole.isZero() ? Rational.of(2) : total.minus(low).over(whole);
            last = Rational.of(open.low).plus(share.times(width));
            if (share.compareTo(Rational.of(1)) > 0) {
                share = Rational.HALF;
                last = total.minus(total(
                                closed, part -> part.lowest().plus(part.room().times(Rational.HALF))))
                        .over(open.count);
            }
            if (last.plus(last).minus(Rational.of(open.low)).compareTo(Rational.of(MOST_TOKENS)) > 0) {
                throw new UnusableHistogramException("requests above " + (open.low - 1) + " tokens have a mean of "
                        + general(last.value(), 6) + ": more than " + MOST_TOKENS + " tokens are not supported.");
            }
        }
        List<Middle> middles = new ArrayList<>();
        for (Part part : parts) {
            Rational mean = part.high == null ? requireNonNull(last) : part.at(share);
            long middle = mean.halfUp();
            long end = part.high == null
                    ? Math.max(
                            middle, mean.plus(mean).minus(Rational.of(part.low)).halfUp())
                    : part.high;
            middles.add(new Middle(part.low, end, part.high == null ? MOST_TOKENS : end, part.count, middle));
        }
        List<LengthBin> bins = bins(middles, total);
        double count = total(parts, Part::count).value();
        Rational least2 = level(parts, total);
        return new HistogramBins(
                Math.round(count),
                total.value() / count,
                bins,
                moment(bins, 1) / count,
                moment(bins, 2) / count,
                least2.value() / count,
                open == null ? greatest(parts, total.minus(low)).value() / count : null,
                parts.stream()
                        .map(part -> new Bucket(part.low, part.high, part.count.value()))
                        .toList(),
                open == null
                        ? null
                        : new OpenBucket(
                                open.count.value(),
                                open.low,
                                requireNonNull(last).halfUp()));
    }

    /// Returns the bucket that holds the length at a share of all, or null.
    public @Nullable Bucket quantile(double share) {
        double place = Math.ceil(share * requests);
        double seen = 0;
        for (Bucket bucket : buckets) {
            seen += bucket.count;
            if (seen >= place) {
                return bucket;
            }
        }
        return null;
    }

    private static List<Part> parts(NavigableMap<Double, Double> cumulative, int least, @Nullable Long longest) {
        List<Part> parts = new ArrayList<>();
        double below = 0;
        long low = least;
        for (var bucket : cumulative.entrySet()) {
            double edge = bucket.getKey();
            Rational count = Rational.of(bucket.getValue()).minus(Rational.of(below));
            below = bucket.getValue();
            Long high = Double.isInfinite(edge) && edge > 0 ? null : (Long) (long) Math.min(Math.floor(edge), LONGEST);
            if (high != null && high < low) {
                if (!count.isZero()) {
                    throw new UnusableHistogramException("a bucket up to " + general(edge, 6)
                            + " tokens must hold none, got " + general(count.value(), 6) + ".");
                }
                continue;
            }
            if (!count.isZero()) {
                parts.add(new Part(low, high, count));
            }
            if (high != null) {
                low = high + 1;
            }
        }
        if (longest != null && !parts.isEmpty() && parts.getLast().high == null) {
            Part last = parts.removeLast();
            if (longest < last.low) {
                throw new UnusableHistogramException(general(last.count.value(), 6) + " requests have more than "
                        + (last.low - 1) + " tokens, above context_tokens " + longest + ".");
            }
            parts.add(new Part(last.low, longest, last.count));
        }
        return parts;
    }

    /// The bucket with the most room takes the rest of the rounding, then the next one if its ends stop it.
    private static List<LengthBin> bins(List<Middle> middles, Rational total) {
        Rational rest = total;
        for (Middle part : middles) {
            rest = rest.minus(part.count.times(Rational.of(part.tokens)));
        }
        Map<Middle, Rational> means = new HashMap<>();
        List<Middle> widest = middles.reversed().stream()
                .sorted(Comparator.comparing(Middle::room).reversed())
                .toList();
        for (Middle part : widest) {
            if (!rest.isZero()) {
                Rational middle = Rational.of(part.tokens);
                Rational mean = middle.plus(rest.over(part.count)).within(part.low, part.limit);
                rest = rest.minus(part.count.times(mean.minus(middle)));
                means.put(part, mean);
            }
        }
        List<LengthBin> bins = new ArrayList<>();
        for (Middle part : middles) {
            Rational mean = means.get(part);
            if (mean == null) {
                long half = Math.min(part.tokens - part.low, Math.min(part.high, MOST_TOKENS) - part.tokens);
                add(bins, part.tokens - half, half == 0 ? part.tokens + 1 : part.tokens + half, part.count);
                continue;
            }
            long floor = mean.floor();
            Rational above = mean.minus(Rational.of(floor));
            add(bins, floor, floor + 1, part.count.times(Rational.of(1).minus(above)));
            if (!above.isZero()) {
                add(bins, floor + 1, floor + 2, part.count.times(above));
            }
        }
        return List.copyOf(bins);
    }

    private static void add(List<LengthBin> bins, long low, long high, Rational weight) {
        if (high > MOST_TOKENS) {
            throw new UnusableHistogramException("requests of " + low + " tokens are too long: more than " + MOST_TOKENS
                    + " tokens are not supported.");
        }
        bins.add(new LengthBin(Math.toIntExact(low), Math.toIntExact(high), weight.value()));
    }

    private static double moment(List<LengthBin> bins, int power) {
        BigDecimal sum = BigDecimal.ZERO;
        for (LengthBin bin : bins) {
            sum = sum.add(new BigDecimal(bin.weight())
                    .multiply(BigDecimal.valueOf(bin.midpoint()).pow(power)));
        }
        return sum.doubleValue();
    }

    /// Returns the sum of squares of means as equal as their buckets allow: each is the level, within its ends.
    private static Rational level(List<Part> parts, Rational total) {
        TreeSet<Long> ends = new TreeSet<>();
        for (Part part : parts) {
            ends.add(part.low);
            if (part.high != null) {
                ends.add(part.high);
            }
        }
        List<Long> edges = List.copyOf(ends);
        int below = 0;
        int above = edges.size();
        while (above - below > 1) {
            int middle = (below + above) / 2;
            boolean fits = filled(parts, Rational.of(edges.get(middle))).compareTo(total) <= 0;
            below = fits ? middle : below;
            above = fits ? above : middle;
        }
        long lower = edges.get(below);
        Rational level = Rational.of(lower);
        Rational rising = total(
                parts,
                part -> part.low <= lower && (part.high == null || part.high > lower) ? part.count : Rational.ZERO);
        if (!rising.isZero()) {
            level = level.plus(total.minus(filled(parts, level)).over(rising));
        }
        if (above < edges.size() && level.compareTo(Rational.of(edges.get(above))) > 0) {
            level = Rational.of(edges.get(above));
        }
        Rational height = level;
        return total(parts, part -> part.count.times(part.within(height)).times(part.within(height)));
    }

    private static Rational filled(List<Part> parts, Rational level) {
        return total(parts, part -> part.count.times(part.within(level)));
    }

    /// Returns the sum of squares of lengths at the ends of their buckets, those of the longest above.
    private static Rational greatest(List<Part> parts, Rational need) {
        Rational free = need;
        Rational squares = total(parts, part -> part.lowest().times(Rational.of(part.low)));
        for (Part part : parts.stream()
                .sorted(Comparator.comparingDouble(part -> -(double) (part.low + part.end())))
                .toList()) {
            Rational moved = free.compareTo(part.room()) < 0 ? free : part.room();
            squares = squares.plus(moved.times(Rational.of(part.low + part.end())));
            free = free.minus(moved);
        }
        return squares;
    }

    private static Rational total(List<Part> parts, Function<Part, Rational> figure) {
        return parts.stream().map(figure).reduce(Rational.ZERO, Rational::plus);
    }

    /// A bucket with lengths.
    private record Part(long low, @Nullable Long high, Rational count) {
        private long end() {
            return high == null ? low : high;
        }

        private Rational lowest() {
            return count.times(Rational.of(low));
        }

        private Rational room() {
            return count.times(Rational.of(end() - low));
        }

        private Rational at(Rational share) {
            return Rational.of(low).plus(share.times(Rational.of(end() - low)));
        }

        private Rational within(Rational level) {
            return level.within(low, high == null ? Long.MAX_VALUE : high);
        }
    }

    /// A bucket with its rounded mean.
    ///
    /// @param high longest length that its bin covers
    /// @param limit longest possible length
    private record Middle(long low, long high, long limit, Rational count, long tokens) {
        private Rational room() {
            return count.times(Rational.of(high - low));
        }
    }

    /// An exact quotient; the denominator is positive.
    private record Rational(BigInteger over, BigInteger under) implements Comparable<Rational> {
        private static final Rational ZERO = of(0);
        private static final Rational HALF = new Rational(BigInteger.ONE, BigInteger.TWO);

        private static Rational of(long number) {
            return new Rational(BigInteger.valueOf(number), BigInteger.ONE);
        }

        private static Rational of(double number) {
            BigDecimal exact = new BigDecimal(number);
            return exact.scale() <= 0
                    ? new Rational(exact.toBigIntegerExact(), BigInteger.ONE)
                    : reduced(exact.unscaledValue(), BigInteger.TEN.pow(exact.scale()));
        }

        private static Rational reduced(BigInteger over, BigInteger under) {
            BigInteger common = under.signum() < 0 ? over.gcd(under).negate() : over.gcd(under);
            return new Rational(over.divide(common), under.divide(common));
        }

        private Rational within(long low, long high) {
            Rational top = of(high);
            Rational bottom = of(low);
            return compareTo(bottom) < 0 ? bottom : compareTo(top) > 0 ? top : this;
        }

        private boolean isZero() {
            return over.signum() == 0;
        }

        private Rational plus(Rational other) {
            return reduced(over.multiply(other.under).add(other.over.multiply(under)), under.multiply(other.under));
        }

        private Rational minus(Rational other) {
            return plus(new Rational(other.over.negate(), other.under));
        }

        private Rational times(Rational other) {
            return reduced(over.multiply(other.over), under.multiply(other.under));
        }

        private Rational over(Rational other) {
            return reduced(over.multiply(other.under), under.multiply(other.over));
        }

        private long floor() {
            BigInteger[] parts = over.divideAndRemainder(under);
            return parts[0].longValueExact() - (parts[1].signum() < 0 ? 1 : 0);
        }

        private long halfUp() {
            return plus(HALF).floor();
        }

        private double value() {
            return new BigDecimal(over)
                    .divide(new BigDecimal(under), MathContext.DECIMAL128)
                    .doubleValue();
        }

        @Override
        public int compareTo(Rational other) {
            return over.multiply(other.under).compareTo(other.over.multiply(under));
        }
    }
}
