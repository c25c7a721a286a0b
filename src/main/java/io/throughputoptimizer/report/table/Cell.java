package io.throughputoptimizer.report.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Content of one place of a [Table], without its format.
public sealed interface Cell {

    /// An empty cell.
    Cell MISSING = new Missing();

    record Text(String text) implements Cell {}

    record Count(long number) implements Cell {}

    /// @param decimals shown where a table is made for people
    /// @param listed decimals shown where records are listed
    record Figure(double number, int decimals, int listed) implements Cell {
        public Figure(double number, int decimals) {
            this(number, decimals, decimals);
        }
    }

    record Missing() implements Cell {}

    /// A text, or nothing.
    static Cell text(@Nullable String text) {
        return text == null ? MISSING : new Text(text);
    }

    /// A count, or nothing.
    static Cell count(@Nullable Number number) {
        return number == null ? MISSING : new Count(number.longValue());
    }

    /// The name of a constant that was asked for, or nothing.
    ///
    /// @param chosen which one of several
    static Cell constant(@Nullable List<? extends Enum<?>> asked, @Nullable Enum<?> chosen) {
        if (chosen != null) {
            return new Text(chosen.name());
        }
        return asked == null ? MISSING : new Text(asked.getFirst().name());
    }

    /// A figure shown with two decimals, as nearly all are, or nothing.
    static Cell figure(@Nullable Double number) {
        return number == null ? MISSING : new Figure(number, 2);
    }
}
