package io.throughputoptimizer.report.table;

import io.throughputoptimizer.core.serving.Decimals;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Tables as lines of text.
final class TableText {
    private TableText() {}

    /// With a frame: cells centred between one blank on either side, lines above and below the header and at the
    /// end. Where a cell cannot be centred, the odd blank goes right of a text of odd length and left of one of
    /// even length, as in the tables people know.
    static List<String> framed(Table table) {
        List<Integer> widths = widths(table, false);
        String border = widths.stream().map(width -> "-".repeat(width + 2)).collect(Collectors.joining("+", "+", "+"));
        List<String> lines = new ArrayList<>();
        lines.add(border);
        lines.add(framed(table.columns(), widths));
        lines.add(border);
        for (List<Cell> row : table.rows()) {
            lines.add(framed(texts(row, false), widths));
        }
        lines.add(border);
        return lines;
    }

    /// Without a frame: columns flush right, two blanks apart.
    static List<String> aligned(Table table) {
        List<Integer> widths = widths(table, true);
        List<String> lines = new ArrayList<>();
        lines.add(aligned(table.columns(), widths));
        for (List<Cell> row : table.rows()) {
            lines.add(aligned(texts(row, true), widths));
        }
        return lines;
    }

    private static String framed(List<String> texts, List<Integer> widths) {
        return IntStream.range(0, texts.size())
                .mapToObj(i -> " " + centred(texts.get(i), widths.get(i)) + " ")
                .collect(Collectors.joining("|", "|", "|"));
    }

    private static String aligned(List<String> texts, List<Integer> widths) {
        return IntStream.range(0, texts.size())
                .mapToObj(i -> " ".repeat(widths.get(i) - length(texts.get(i))) + texts.get(i))
                .collect(Collectors.joining("  "));
    }

    private static String centred(String text, int width) {
        int excess = width - length(text);
        int left = length(text) % 2 == 0 ? Math.ceilDiv(excess, 2) : excess / 2;
        return " ".repeat(left) + text + " ".repeat(excess - left);
    }

    private static List<Integer> widths(Table table, boolean isListed) {
        return IntStream.range(0, table.columns().size())
                .mapToObj(column -> table.rows().stream()
                        .mapToInt(row -> length(text(row.get(column), isListed)))
                        .reduce(length(table.columns().get(column)), Math::max))
                .toList();
    }

    private static List<String> texts(List<Cell> row, boolean isListed) {
        return row.stream().map(cell -> text(cell, isListed)).toList();
    }

    private static String text(Cell cell, boolean isListed) {
        return switch (cell) {
            case Cell.Text(String text) -> Printable.of(text);
            case Cell.Count(long number) -> Long.toString(number);
            case Cell.Figure(double number, int decimals, int listed) ->
                Decimals.fixed(number, isListed ? listed : decimals);
            case Cell.Missing _ -> "-";
        };
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
