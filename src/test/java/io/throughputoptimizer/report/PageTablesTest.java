package io.throughputoptimizer.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.report.table.PageColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// What the page shows of rows is what rows have.
class PageTablesTest {
    private static final Path DESCRIPTION = Path.of("openapi", "openapi.yaml");

    static Stream<Arguments> tables() {
        PageTables tables = PageTables.all();
        return Stream.of(
                Arguments.of("Row", tables.rows()),
                Arguments.of("RankedDevice", tables.devices()),
                Arguments.of("Row", tables.beside()),
                Arguments.of("PdRatioRow", tables.beside()),
                Arguments.of("PdRatioRow", tables.ratios()),
                Arguments.of("PdRatioRow", tables.counts()),
                Arguments.of("PdRatioRow", tables.measuredPairs()));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void eachMemberIsOneOfTheRowsAsTheApiDescribesThem(String schema, List<PageColumn> columns) throws IOException {
        JsonNode members = new YAMLMapper()
                .readTree(Files.readString(DESCRIPTION))
                .at("/components/schemas/" + schema + "/properties");

        assertThat(columns)
                .isNotEmpty()
                .filteredOn(column -> column.title() != null)
                .allSatisfy(column -> assertThat(members.propertyNames())
                        .containsAll(
                                column.ends()
                                        ? List.of(
                                                column.member(), column.member() + "_band", column.member() + "_range")
                                        : List.of(column.member())));
    }
}
