package io.throughputoptimizer.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.result.figure.BandResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ColumnTest {
    private static final Column<Reading> FIGURE = Column.figure("ttft", "TTFT (ms)", Reading::millis)
            .within(Reading::bands, Reading.Bands::band, Reading.Bands::range);
    private static final Reading BANDED =
            new Reading(10.0, new Reading.Bands(new BandResponse(9.0, 12.5, "ttft"), null));
    private static final Reading RANGED =
            new Reading(10.0, new Reading.Bands(null, new BandResponse(8.0, null, "launches")));
    private static final Reading PLAIN = new Reading(10.0, null);

    private record Reading(
            @Nullable Double millis, @Nullable Bands bands) {
        private record Bands(
                @Nullable BandResponse band, @Nullable BandResponse range) {}
    }

    @Test
    void endsFollowAFigureByThemselves() {
        Table table = Table.recorded(List.of(FIGURE), List.of(BANDED, RANGED, PLAIN), true);

        assertThat(table.columns()).containsExactly("ttft", "ttft_low", "ttft_high");
        assertThat(table.rows())
                .containsExactly(
                        List.of(figure(10), figure(9), figure(12.5)),
                        List.of(figure(10), figure(8), Cell.MISSING),
                        List.of(figure(10), Cell.MISSING, Cell.MISSING));
    }

    @Test
    void aTableForPeopleHasTheEndsInTheCell() {
        Table table = Table.titled(List.of(FIGURE), List.of(BANDED, PLAIN));

        assertThat(table.columns()).containsExactly("TTFT (ms)");
        assertThat(table.rows()).containsExactly(List.of(new Cell.Text("10.0 (9.0 to 12.5)")), List.of(figure(10)));
    }

    @Test
    void aColumnStandsOnlyWhereItIsCalledSomethingAndSaysSomething() {
        List<Column<Reading>> columns = List.of(
                FIGURE.titled(Column.NONE),
                FIGURE.named(Column.NONE),
                Column.figure("absent", "Absent", (Reading _) -> null).optional());

        assertThat(Table.titled(columns, List.of(PLAIN)).columns()).containsExactly("TTFT (ms)");
        assertThat(Table.recorded(columns, List.of(PLAIN), false).columns()).containsExactly("ttft");
    }

    @Test
    void detailsWithoutAThingSayNothingOfIt() {
        Column<List<Reading>> column = FIGURE.of(list -> list.isEmpty() ? null : list.getFirst());

        assertThat(Table.titled(List.of(column), List.of(List.of(PLAIN), List.<Reading>of()))
                        .rows())
                .containsExactly(List.of(figure(10)), List.of(Cell.MISSING));
    }

    private static Cell figure(double number) {
        return new Cell.Figure(number, 2, 3);
    }
}
