package io.throughputoptimizer.report.table;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.result.figure.BandResponse;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A column of tables about things of one kind: what it says of each, and what it is called where it stands.
///
/// @param name in CSV; [#NONE] of columns that it does not have
/// @param title in tables for people; [#NONE] of columns that they do not have
/// @param heading on the page; absent of columns that it does not have
/// @param kind of what it says
/// @param decimals of figures in tables for people
/// @param cell what it says of a thing
/// @param spread where its figure may lie, of a thing whose figures have ends; absent for columns without any
/// @param shown whether the column stands in a table of these things
public record Column<R>(
        String name,
        String title,
        @Nullable Heading heading,
        PageColumn.Kind kind,
        int decimals,
        Function<R, Cell> cell,
        @Nullable Function<R, @Nullable BandedFigure> spread,
        Predicate<List<R>> shown) {
    /// Name or title of a column that stands only where it has the other.
    public static final String NONE = "";

    /// Decimals of figures in tables for people, and where records are listed.
    private static final int DECIMALS = 2;

    private static final int LISTED = 3;

    /// Heading on the dashboard.
    ///
    /// @param member of a row in JSON
    record Heading(String title, String member) {}

    public static <R> Column<R> of(String name, String title, Function<R, Cell> cell) {
        return of(name, title, PageColumn.Kind.TEXT, cell);
    }

    private static <R> Column<R> of(String name, String title, PageColumn.Kind kind, Function<R, Cell> cell) {
        return new Column<>(name, title, null, kind, DECIMALS, cell, null, _ -> true);
    }

    public static <R> Column<R> text(String name, String title, Function<R, @Nullable String> text) {
        return of(name, title, thing -> Cell.text(text.apply(thing)));
    }

    public static <R> Column<R> count(String name, String title, Function<R, @Nullable Number> count) {
        return of(name, title, PageColumn.Kind.COUNT, thing -> Cell.count(count.apply(thing)));
    }

    public static <R> Column<R> figure(String name, String title, Function<R, @Nullable Double> figure) {
        return of(name, title, PageColumn.Kind.FIGURE, thing -> {
            Double number = figure.apply(thing);
            return number == null ? Cell.MISSING : new Cell.Figure(number, DECIMALS, LISTED);
        });
    }

    /// Returns a copy with other decimals in tables and in lists of records.
    public Column<R> decimals(int decimals, int listed) {
        return new Column<>(
                name,
                title,
                heading,
                kind,
                decimals,
                thing -> cell.apply(thing) instanceof Cell.Figure figure
                        ? new Cell.Figure(figure.number(), decimals, listed)
                        : cell.apply(thing),
                spread,
                shown);
    }

    /// Returns a copy that the dashboard shows.
    ///
    /// @param member of a row in JSON that it shows
    public Column<R> onPage(String title, String member) {
        return onPage(title, member, kind);
    }

    public Column<R> onPage(String title, String member, PageColumn.Kind kind) {
        return new Column<>(name, this.title, new Heading(title, member), kind, decimals, cell, spread, shown);
    }

    /// The column of the page.
    public PageColumn page() {
        Heading known = requireNonNull(heading, "the page has no column " + name);
        return new PageColumn(known.title, known.member, kind, decimals, spread != null);
    }

    /// Returns a copy with another name.
    public Column<R> named(String other) {
        return new Column<>(other, title, heading, kind, decimals, cell, spread, shown);
    }

    /// Returns a copy with another title.
    public Column<R> titled(String other) {
        return new Column<>(name, other, heading, kind, decimals, cell, spread, shown);
    }

    /// A figure with ends: of its band, or on an Ascend device of its range.
    ///
    /// @param bands of a thing; absent where nobody knows ends
    public <B> Column<R> within(
            Function<R, @Nullable B> bands,
            Function<B, @Nullable BandResponse> band,
            Function<B, @Nullable BandResponse> range) {
        return new Column<>(
                name,
                title,
                heading,
                kind,
                decimals,
                cell,
                thing -> {
                    B known = bands.apply(thing);
                    return known == null
                            ? null
                            : new BandedFigure(
                                    cell.apply(thing) instanceof Cell.Figure figure ? figure.number() : 0,
                                    band.apply(known),
                                    range.apply(known));
                },
                shown);
    }

    /// Returns a copy that is empty for things that fail the predicate.
    public Column<R> where(Predicate<R> known) {
        return new Column<>(
                name,
                title,
                heading,
                kind,
                decimals,
                cell,
                spread,
                things -> things.stream().anyMatch(known));
    }

    /// Returns a copy that is dropped if it is empty for all things.
    public Column<R> optional() {
        return where(thing -> !cell.apply(thing).equals(Cell.MISSING));
    }

    /// Lifts the column to a containing type; empty if the part is absent.
    public <S> Column<S> of(Function<S, @Nullable R> part) {
        return new Column<>(
                name,
                title,
                heading,
                kind,
                decimals,
                thing -> {
                    R known = part.apply(thing);
                    return known == null ? Cell.MISSING : cell.apply(known);
                },
                spread == null
                        ? null
                        : thing -> {
                            R known = part.apply(thing);
                            return known == null ? null : banded(known);
                        },
                things -> shown.test(things.stream()
                        .flatMap(thing -> Stream.ofNullable(part.apply(thing)))
                        .toList()));
    }

    /// The figure of a thing with its ends; absent where nobody knows any.
    @Nullable
    public BandedFigure banded(R thing) {
        return spread == null ? null : spread.apply(thing);
    }

    /// Returns the cell of tables: a figure with its interval.
    Cell titledCell(R thing) {
        BandedFigure figure = banded(thing);
        return figure == null ? cell.apply(thing) : figure.cell();
    }

    /// The column, and behind it the ends of its figure.
    Stream<Column<R>> withEnds() {
        return spread == null
                ? Stream.of(this)
                : Stream.of(this, end("_low", BandedFigure::low), end("_high", BandedFigure::high));
    }

    private Column<R> end(String suffix, Function<BandedFigure, @Nullable Double> end) {
        Column<R> all = figure(name + suffix, title, thing -> {
            BandedFigure figure = banded(thing);
            return figure == null ? null : end.apply(figure);
        });
        return new Column<>(all.name, all.title, all.heading, all.kind, all.decimals, all.cell, all.spread, shown);
    }
}
