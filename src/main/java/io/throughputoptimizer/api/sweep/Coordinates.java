package io.throughputoptimizer.api.sweep;

import io.throughputoptimizer.api.WireFormat;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Labels of axis values in rows and tables: plain values as they are, whatever their Java type; lists of one as
/// their element; others as JSON.
public final class Coordinates {
    private static final int LONGEST = 200;

    private Coordinates() {}

    static Object shown(@Nullable Object value) {
        return switch (value) {
            case Integer number -> (long) number;
            case Long number -> number;
            case Double number -> number;
            case Boolean truth -> truth;
            case String text -> cut(text);
            case null -> "null";
            case List<?> list
            when list.size() == 1 && !(list.getFirst() instanceof Collection) -> shown(list.getFirst());
            default -> cut(WireFormat.write(value));
        };
    }

    /// A value as callers write it in a query: whole numbers without a fraction, however they were given.
    public static String text(Object shown) {
        return shown instanceof Double number && Double.isFinite(number)
                ? new BigDecimal(number.toString()).stripTrailingZeros().toPlainString()
                : String.valueOf(shown);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 3) + "...";
    }
}
