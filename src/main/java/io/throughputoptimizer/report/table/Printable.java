package io.throughputoptimizer.report.table;

import java.util.stream.Collectors;

/// Text that moves no cursor, colours nothing and reads in the order in which it stands: control characters, line and
/// paragraph separators, marks of direction and what is no character are written as `\` and `u` with their number.
public final class Printable {
    private Printable() {}

    /// The text with numbers for what is none.
    public static String of(String text) {
        return text.codePoints().allMatch(Printable::isPlain)
                ? text
                : text.codePoints().mapToObj(Printable::shown).collect(Collectors.joining());
    }

    private static String shown(int character) {
        return isPlain(character) ? Character.toString(character) : "\\u%04x".formatted(character);
    }

    /// Returns whether a character can be shown as it is; characters that XML excludes cannot.
    public static boolean isPlain(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
