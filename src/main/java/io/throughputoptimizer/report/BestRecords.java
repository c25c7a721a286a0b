package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The best of some findings by the columns of their CSV: of each phase the best row of the best kind of device, of
/// pairs the best, and of deployments a record for each kind of its instances. Figures of measured devices have their
/// ends beside them; what a record says nothing of is left out.
public final class BestRecords {
    private BestRecords() {}

    /// Texts, whole numbers and fractions by the names of columns; empty where nothing was found.
    public static List<Map<String, Object>> of(Findings findings) {
        Table table = table(findings);
        return table.rows().stream().map(row -> named(table.columns(), row)).toList();
    }

    private static Table table(Findings findings) {
        CapacityResponse capacity = findings.result().capacity();
        if (capacity != null) {
            return new CapacityColumns(findings).recorded(alone(capacity));
        }
        return findings.request().pdRatio() == null
                ? ofPhases(findings)
                : PairTables.recorded(findings, pair(findings).stream().toList());
    }

    private static CapacityResponse alone(CapacityResponse capacity) {
        DeploymentResponse best = capacity.best();
        return new CapacityResponse(
                best,
                best == null ? List.of() : List.of(best),
                capacity.shortfalls(),
                capacity.instances(),
                capacity.omitted(),
                capacity.curve(),
                null);
    }

    private static Table ofPhases(Findings findings) {
        List<Line> lines = new ArrayList<>();
        for (PhaseResponse phase : findings.devices().getFirst().phases()) {
            best(findings, phase.phase()).ifPresent(lines::add);
        }
        return Table.recorded(
                RowColumns.recorded(findings, lines), lines, findings.request().isCalibrated());
    }

    private static Optional<Line> best(Findings findings, PhaseName phase) {
        List<RankedDeviceResponse> ranked = findings.ranked(phase);
        return findings.devices().stream()
                .filter(device -> ranked.isEmpty() || ranked.getFirst().device().equals(device.device()))
                .flatMap(device -> best(device, phase).stream())
                .findFirst();
    }

    private static Optional<Line> best(DeviceResponse device, PhaseName phase) {
        return device.phases().stream()
                .filter(result -> result.phase() == phase && !result.rows().isEmpty())
                .findFirst()
                .map(result -> new Line(device, phase, result.rows().getFirst(), null));
    }

    private static Optional<PairLine> pair(Findings findings) {
        var ranked = findings.rankedPairs();
        return PairLine.of(findings).stream()
                .filter(line -> ranked.isEmpty() || ranked.getFirst().device().equals(line.device()))
                .findFirst();
    }

    private static Map<String, Object> named(List<String> columns, List<Cell> row) {
        Map<String, Object> named = new LinkedHashMap<>();
        for (int column = 0; column < row.size(); column++) {
            String name = columns.get(column);
            switch (row.get(column)) {
                case Cell.Text(String text) -> named.put(name, text);
                case Cell.Count(long number) -> named.put(name, number);
                case Cell.Figure figure -> named.put(name, figure.number());
                case Cell.Missing _ -> {}
            }
        }
        return named;
    }
}
