package io.throughputoptimizer.report;

import io.throughputoptimizer.api.request.PdRatioRequest;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.ExplanationResponse;
import io.throughputoptimizer.api.result.PdRatioResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.DeviceFiguresResponse;
import io.throughputoptimizer.report.explanation.ExplanationTables;
import io.throughputoptimizer.report.table.Report;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Decides what is shown of some findings, and in which order (results, text report and several devices).
final class ReportAssembler {
    private ReportAssembler() {}

    /// Recorded rows replace the summaries; where none was recorded, the summaries say why.
    static Report assemble(Findings findings) {
        CapacityResponse capacity = findings.result().capacity();
        if (capacity != null) {
            return new Report(
                    new CapacitySummary(findings, capacity).sections(),
                    new CapacityColumns(findings).recorded(capacity));
        }
        boolean byRatio = findings.request().pdRatio() != null;
        Table records = byRatio ? PairTables.recorded(findings) : RecordTable.of(findings);
        boolean listed =
                findings.request().dumpOriginalResults() && !records.rows().isEmpty();
        return new Report(
                listed ? List.of(new Section.Listing(records.withoutEmptyColumns())) : sections(findings), records);
    }

    private static List<Section> sections(Findings findings) {
        List<Section> sections = new ArrayList<>();
        findings.devices().stream()
                .flatMap(device -> summaries(findings, device))
                .forEach(sections::add);
        if (findings.isComparison()) {
            List<DeviceFiguresResponse> profiles = findings.result().deviceProfiles();
            if (profiles != null) {
                sections.add(DeviceComparison.profiles(profiles));
            }
            comparisons(findings).forEach(sections::add);
        }
        ExplanationResponse explanation = findings.result().explanation();
        if (explanation != null) {
            sections.addAll(ExplanationTables.of(explanation));
        }
        return sections;
    }

    private static Stream<Section> comparisons(Findings findings) {
        return findings.request().pdRatio() == null
                ? findings.devices().getFirst().phases().stream()
                        .map(phase -> PhaseComparison.section(phase.phase(), findings.ranked(phase.phase())))
                : Stream.of(PdRatioComparison.section(
                        findings.rankedPairs(), findings.request().isCalibrated()));
    }

    private static Stream<Section> summaries(Findings findings, DeviceResponse device) {
        PdRatioRequest instances = findings.request().pdRatio();
        PdRatioResponse pdRatio = device.pdRatio();
        return instances == null || pdRatio == null
                ? device.phases().stream().map(phase -> new PhaseSummary(findings).of(device, phase))
                : Stream.of(new PdRatioSummary(findings, instances).of(device, pdRatio));
    }
}
