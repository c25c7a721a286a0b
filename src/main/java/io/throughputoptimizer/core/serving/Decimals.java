package io.throughputoptimizer.core.serving;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/// Numbers as text. Digits come from the exact binary value and ties go to the even digit, as the reference's
/// tables have it: 49.785 is a little less in binary and shows as 49.78.
public final class Decimals {
    private static final MathContext SIX_DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);
    private static final double LONGEST_PLAIN = 1e16;
    private static final int MOST = 12;

    private Decimals() {}

    /// Fewest decimals, at least one, with which the two values read differently.
    public static int toTell(double value, double limit) {
        int decimals = 1;
        while (decimals < MOST && fixed(value, decimals).equals(fixed(limit, decimals))) {
            decimals++;
        }
        return decimals;
    }

    /// Formats a number with `decimals` decimals.
    public static String fixed(double number, int decimals) {
        return Double.isFinite(number)
                ? new BigDecimal(number)
                        .setScale(decimals, RoundingMode.HALF_EVEN)
                        .toPlainString()
                : named(number);
    }

    /// Formats a number like [#fixed(double, int)], with separators between thousands: `9,451.0`.
    public static String grouped(double number, int decimals) {
        return Double.isFinite(number)
                ? String.format(
                        Locale.ROOT,
                        "%,." + decimals + "f",
                        new BigDecimal(number).setScale(decimals, RoundingMode.HALF_EVEN))
                : named(number);
    }

    /// The shortest text that reads back as the same number, with at least one decimal: `50.0`.
    public static String exact(double number) {
        if (!Double.isFinite(number) || Math.abs(number) >= LONGEST_PLAIN) {
            return named(number);
        }
        BigDecimal digits = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        return digits.setScale(Math.max(1, digits.scale()), RoundingMode.UNNECESSARY)
                .toPlainString();
    }

    /// Formats like [#exact(double)], but without decimals for whole numbers: `50`.
    public static String shortest(double number) {
        String text = exact(number);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /// Up to six significant digits, without trailing zeros: `137.2`, `35`.
    public static String general(double number) {
        if (!Double.isFinite(number)) {
            return named(number);
        }
        BigDecimal rounded = new BigDecimal(number).round(SIX_DIGITS);
        if (rounded.signum() == 0) {
            return "0";
        }
        int exponent = rounded.precision() - rounded.scale() - 1;
        BigDecimal stripped = rounded.stripTrailingZeros();
        return exponent < -4 || exponent > 9 ? stripped.toString() : stripped.toPlainString();
    }

    private static String named(double number) {
        return Double.isFinite(number) || Double.isNaN(number) ? Double.toString(number) : number > 0 ? "inf" : "-inf";
    }
}
