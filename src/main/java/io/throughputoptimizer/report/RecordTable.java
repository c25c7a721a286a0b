package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.report.table.Table;
import java.util.List;
import java.util.stream.Stream;

/// Every shown row with all its columns (results, row columns), preceded by its place and phase and followed by
/// requests per second, memory in GB of 2^30 bytes, the accounting and requests per second sustained. The columns are
/// the same for every question, but for those of what it may have besides.
final class RecordTable {
    private RecordTable() {}

    static Table of(Findings findings) {
        List<Line> lines = findings.devices().stream()
                .flatMap(device -> device.phases().stream().flatMap(phase -> lines(findings, device, phase)))
                .toList();
        return Table.recorded(
                RowColumns.recorded(findings, lines), lines, findings.request().isCalibrated());
    }

    private static Stream<Line> lines(Findings findings, DeviceResponse device, PhaseResponse phase) {
        Stream<RowResponse> rows = findings.request().dumpOriginalResults()
                ? findings.recorded(device, phase.phase())
                : phase.rows().stream();
        return rows.flatMap(row -> Line.of(device, phase.phase(), row));
    }
}
