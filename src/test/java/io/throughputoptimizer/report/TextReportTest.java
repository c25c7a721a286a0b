package io.throughputoptimizer.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.ResultResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Text reports byte for byte. The golden files follow the layout of the specification's results chapter (text
/// report; several devices): order of the blocks, star and dash frames of 80, 100, 108 and 120 characters, centred
/// cells with one blank of padding, two decimals (three for the request ratio and the memory bandwidth, one for the
/// capacity), "-" for what is missing. Figures round from their exact binary value, ties to even. The tables were
/// compared with those that PrettyTable, the library of the reference, makes of the same cells.
///
/// After a meant change of reports `-Dreports.write=src/test/resources/golden/report` writes the files anew.
class TextReportTest {

    static Stream<Arguments> reports() {
        return Stream.of(
                Arguments.of("aggregation", SampleFindings.aggregation()),
                Arguments.of("steady", SampleFindings.steady()),
                Arguments.of("disaggregation", SampleFindings.disaggregation()),
                Arguments.of("experts", SampleFindings.experts()),
                Arguments.of("mixed-prefill", SampleFindings.mixedPrefill()),
                Arguments.of("mixed-aggregation", SampleFindings.mixedAggregation()),
                Arguments.of("careful-memory", SampleFindings.carefulMemory()),
                Arguments.of("warnings", SampleFindings.warnings()),
                Arguments.of("infeasible", SampleFindings.infeasible()),
                Arguments.of("comparison", SampleFindings.comparison()),
                Arguments.of("disaggregated-comparison", SampleFindings.disaggregatedComparison()),
                Arguments.of("empty-comparison", SampleFindings.emptyComparison()),
                Arguments.of("pd-ratio", SampleFindings.pdRatio()),
                Arguments.of("pd-ratio-that-does-not-fit", SampleFindings.pdRatioThatDoesNotFit()),
                Arguments.of("pd-ratio-of-nothing", SampleFindings.pdRatioOfNothing()),
                Arguments.of("pd-ratio-comparison", SampleFindings.pdRatioComparison()),
                Arguments.of("pd-ratio-comparison-that-does-not-fit", SampleFindings.pdRatioComparisonThatDoesNotFit()),
                Arguments.of("steady-pd-ratio", SampleFindings.steadyPdRatio()),
                Arguments.of("recorded", SampleFindings.recorded()),
                Arguments.of("infeasible-recorded", SampleFindings.nothingRecorded()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reports")
    void theReportIsTheGoldenFile(String name, Findings findings) throws IOException {
        String folder = System.getProperty("reports.write");
        if (folder != null) {
            Files.writeString(Path.of(folder, name + ".txt"), ReportFormat.TEXT.render(findings));
        }
        assertThat(ReportFormat.TEXT.render(findings)).isEqualTo(SampleFindings.golden(name + ".txt"));
    }

    /// Rows were stored without `warnings` once.
    @Test
    void rowsThatAreOlderThanWarningsSayWhatTheyLeaveOut() {
        Findings findings = SampleFindings.mixedPrefill();
        String old = WireFormat.write(findings.result())
                .replace("\"composition\":", "\"omitted_ratio\":0.125,\"composition\":");
        ResultResponse read = ResultResponse.read(old).orElseThrow();

        assertThat(ReportFormat.TEXT.render(new Findings(findings.request(), read)))
                .contains(
                        "Warning: Top 1, 2: the batch is too small for every length; its figures leave out 12.5% of the"
                                + " requests.");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reports")
    void noLineEndsInABlankAndNothingIsColoured(String name, Findings findings) {
        assertThat(ReportFormat.TEXT.render(findings))
                .as(name)
                .startsWith("\n")
                .endsWith("\n")
                .doesNotContain("\u001b", " \n");
    }
}
