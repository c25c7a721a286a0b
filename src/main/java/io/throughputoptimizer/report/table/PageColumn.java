package io.throughputoptimizer.report.table;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A column of a table on the page. It stands where some row has its member.
///
/// @param title absent where the page says it
/// @param member of a row in JSON; where figures have ends, those of its band and range stand beside it
/// @param kind of what stands in it
/// @param digits of figures
/// @param ends whether figures have ends on measured devices
/// @param analytic whether it is one of cost model `analytic` only
public record PageColumn(
        @Nullable String title,
        String member,
        String kind,
        int digits,
        boolean ends,
        @Nullable Boolean analytic) {
    /// Kinds of column contents.
    public enum Kind {
        TEXT,
        COUNT,
        FIGURE,
        /// A share, in percent.
        SHARE,
        /// A layout, without the dimensions that are 1.
        LAYOUT,
        /// Prefill against decode instances.
        INSTANCES,
        /// Devices of an instance, by number and kind.
        DEVICES,
        /// Uncertainty flags.
        FLAGS,
        /// Value that the dashboard derives from a row, under the name of the field.
        MADE_UP
    }

    PageColumn(@Nullable String title, String member, Kind kind, int digits, boolean ends) {
        this(title, member, kind.name().toLowerCase(Locale.ROOT), digits, ends, null);
    }

    public static PageColumn of(Kind kind, String title, String member) {
        return new PageColumn(title, member, kind, 0, false);
    }

    public static PageColumn madeUp(String name) {
        return new PageColumn(null, name, Kind.MADE_UP, 0, false);
    }

    public PageColumn withDigits(int other) {
        return new PageColumn(title, member, kind, other, ends, analytic);
    }

    public PageColumn titled(String other) {
        return new PageColumn(other, member, kind, digits, ends, analytic);
    }

    public PageColumn ofAnalytic() {
        return new PageColumn(title, member, kind, digits, ends, true);
    }
}
