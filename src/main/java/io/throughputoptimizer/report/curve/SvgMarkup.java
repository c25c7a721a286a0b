package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Printable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Writes an SVG picture. Whatever is put into a template is escaped, and characters that XML does not know or that
/// turn the reading order are left out, so that no name can leave its place.
final class SvgMarkup {
    private final StringBuilder text = new StringBuilder();

    /// Writes a template whose `%s` are replaced; fractions are cut to one decimal, a tenth of a pixel.
    void add(String template, Object... values) {
        Object[] escaped = Stream.of(values).map(SvgMarkup::escaped).toArray();
        text.append(template.formatted(escaped)).append('\n');
    }

    /// Writes a line of text.
    ///
    /// @param anchor where in the text its place lies: `start`, `middle` or `end`
    void addText(double x, double y, String anchor, String content) {
        add(
                "<text class='ink' fill='%s' x='%s' y='%s' text-anchor='%s'>%s</text>",
                SvgTheme.LIGHT_INK, x, y, anchor, content);
    }

    void append(SvgMarkup other) {
        text.append(other.text);
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private static String escaped(Object value) {
        String plain = value instanceof Double number ? Decimals.fixed(number, 1) : value.toString();
        return plain.codePoints()
                .filter(Printable::isPlain)
                .mapToObj(SvgMarkup::escaped)
                .collect(Collectors.joining());
    }

    private static String escaped(int character) {
        return switch (character) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\'' -> "&#39;";
            default -> Character.toString(character);
        };
    }
}
