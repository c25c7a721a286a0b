package io.throughputoptimizer.report;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.CsvRenderer;
import io.throughputoptimizer.report.table.Printable;
import io.throughputoptimizer.report.table.Report;
import io.throughputoptimizer.report.table.Table;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whoever brings a device along chooses its name.
class NamesInReportsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=1+1",
                "=cmd|' /C calc'!A0",
                "+1+1",
                "-2+3",
                "@SUM(1)",
                " =1+1",
                "\t=1+1",
                "\r1",
                "\n1",
                "\u00a0=1+1",
                "\uff1d1+1",
                "=HYPERLINK(\"http://evil.example\")"
            })
    void aNameThatASpreadsheetWouldRunFollowsAnApostrophe(String name) {
        assertThat(record(name).getField("device")).isEqualTo("'" + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\t=1+1", "\r=1+1", "\n=1+1", "\u001b[31mred", "\u202egnp.exe", "a\u2028b", "a\u0000b"})
    void aNameMovesNothingOnATerminal(String name) {
        String text = ReportFormat.TEXT.render(findings(name));

        assertThat(text).doesNotContain("\t", "\r", "\u001b", "\u202e", "\u2028", "\u0000");
        assertThat(text.lines())
                .hasSameSizeAs(
                        ReportFormat.TEXT.render(findings("PLAIN")).lines().toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u001b[31mred", "\u0007", "\u202egnp.exe", "a\u2028b", "a\u0000b", "\u009b31m", "\ufeffa"})
    void aNameMovesNothingWhereATableIsShown(String name) {
        assertThat(record(name).getField("device")).isEqualTo(Printable.of(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TEST_DEVICE", "A-1", "a=b", "昇腾", "N'1"})
    void otherNamesStayAsTheyAre(String name) {
        assertThat(record(name).getField("device")).isEqualTo(name);
        assertThat(ReportFormat.TEXT.render(findings(name))).contains("8 " + name);
    }

    @Test
    void negativeNumbersStayNumbers() {
        Table table =
                new Table(List.of("figure", "count"), List.of(List.of(new Cell.Figure(-1.5, 2), new Cell.Count(-3))));

        assertThat(new CsvRenderer().render(new Report(List.of(), table))).isEqualTo("figure,count\r\n-1.5,-3\r\n");
    }

    private static NamedCsvRecord record(String device) {
        return CsvReader.builder().ofNamedCsvRecord(ReportFormat.CSV.render(findings(device))).stream()
                .findFirst()
                .orElseThrow();
    }

    private static Findings findings(String device) {
        List<PhaseResponse> phases =
                SampleFindings.aggregation().devices().getFirst().phases();
        return SampleFindings.findings(
                SampleFindings.limits(null, 50.0),
                SampleFindings.device(device, 8, phases.toArray(PhaseResponse[]::new)));
    }
}
