package io.throughputoptimizer.report;

import io.throughputoptimizer.core.search.OptimizationProblem.InstanceSizes;
import io.throughputoptimizer.core.search.PdRatioResult;
import io.throughputoptimizer.report.Findings.Comparison;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import io.throughputoptimizer.report.Findings.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Decides what is shown of some findings, and in which order (results, text report and several devices).
final class ReportAssembler {
    private ReportAssembler() {}

    /// Recorded rows replace the summaries; where none was recorded, the summaries say why.
    static Report assemble(Findings findings) {
        Table records =
                findings.question().instances() == null ? RecordTable.of(findings) : PdRatioRecordTable.of(findings);
        boolean listed = findings.question().recordedRows() && !records.rows().isEmpty();
        return new Report(
                listed ? List.of(new Section.Listing(records.withoutEmptyColumns())) : sections(findings), records);
    }

    private static List<Section> sections(Findings findings) {
        List<Section> sections = new ArrayList<>();
        findings.devices().stream()
                .flatMap(device -> summaries(findings, device))
                .forEach(sections::add);
        Comparison comparison = findings.comparison();
        if (comparison != null) {
            sections.add(DeviceComparison.profiles(comparison.profiles()));
            sections.addAll(
                    findings.question().instances() == null
                            ? PhaseComparison.sections(comparison)
                            : List.of(PdRatioComparison.section(comparison)));
        }
        return sections;
    }

    private static Stream<Section> summaries(Findings findings, DeviceFindings device) {
        Question question = findings.question();
        InstanceSizes instances = question.instances();
        PdRatioResult pdRatio = device.pdRatio();
        return instances == null || pdRatio == null
                ? device.phases().stream().map(phase -> new PhaseSummary(question).of(device, phase))
                : Stream.of(new PdRatioSummary(
                                question, instances, findings.devices().size() > 1)
                        .of(device, pdRatio));
    }
}
