package io.throughputoptimizer.api.trace;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// A format of arrival times in a trace.
public enum TraceTime {
    /// Dates with times of day, as ISO 8601 has them, also with a space between; in UTC unless they say otherwise.
    DATE(0),
    /// Numbers of seconds.
    S(1_000),
    /// Numbers of milliseconds.
    MS(1);

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,15}(\\.[0-9]{1,15})?");
    private static final Pattern OFFSET = Pattern.compile(".*(Z|[+-][0-9:]{5,9})");
    private static final int LONGEST = 40;
    private static final int DATE_LENGTH = 10;

    private final int millis;

    TraceTime(int millis) {
        this.millis = millis;
    }

    /// In ms; absent if the text is nothing of the kind.
    OptionalLong millis(String text) {
        if (text.length() > LONGEST) {
            return OptionalLong.empty();
        }
        if (this != DATE) {
            return NUMBER.matcher(text).matches()
                    ? OptionalLong.of((long) Math.floor(Double.parseDouble(text) * millis))
                    : OptionalLong.empty();
        }
        if (text.length() <= DATE_LENGTH) {
            return OptionalLong.empty();
        }
        String iso = text.substring(0, DATE_LENGTH) + "T" + text.substring(DATE_LENGTH + 1);
        try {
            return OptionalLong.of((OFFSET.matcher(iso.substring(DATE_LENGTH)).matches()
                            ? OffsetDateTime.parse(iso)
                            : LocalDateTime.parse(iso).atOffset(ZoneOffset.UTC))
                    .toInstant()
                    .toEpochMilli());
        } catch (DateTimeException | ArithmeticException _) {
            return OptionalLong.empty();
        }
    }
}
