package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.request.DemandRequest;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DevicesResponse;
import io.throughputoptimizer.report.Chart.Axis;
import io.throughputoptimizer.report.Chart.Point;
import io.throughputoptimizer.report.Chart.Series;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Fewest devices over demand, one series per kind of device and of deployment.
record CapacityCurves(DemandRequest demand, CapacityResponse capacity) {
    private static final Axis DEVICES = new Axis("Devices", null);

    static Curves of(Findings findings, CapacityResponse capacity) {
        DemandRequest demand = requireNonNull(findings.request().demand());
        return new Curves(List.of(new CapacityCurves(demand, capacity).chart()), "");
    }

    private Chart chart() {
        TreeMap<String, List<Point>> series = capacity.curve().stream()
                .collect(Collectors.groupingBy(
                        CapacityCurves::label,
                        TreeMap::new,
                        Collectors.mapping(
                                point -> Point.of(point.demand(), point.numDevices()), Collectors.toList())));
        return new Chart(
                "Fewest devices vs demand",
                axis(),
                DEVICES,
                null,
                best(),
                series.entrySet().stream()
                        .map(entry -> new Series(entry.getKey(), entry.getValue()))
                        .toList());
    }

    private @Nullable Point best() {
        DeploymentResponse best = capacity.best();
        return best == null ? null : Point.of(amount(), best.numDevices());
    }

    private double amount() {
        if (demand.conversations() != null) {
            return demand.conversations();
        }
        if (demand.concurrency() != null) {
            return demand.concurrency();
        }
        return demand.requestsPerS() == null ? requireNonNull(demand.tokensPerS()) : demand.requestsPerS();
    }

    private Axis axis() {
        if (demand.conversations() != null) {
            return new Axis("Conversations", null);
        }
        if (demand.concurrency() != null) {
            return new Axis("Concurrency", null);
        }
        return demand.requestsPerS() == null ? new Axis("Demand", "token/s") : new Axis("Demand", "req/s");
    }

    private static String label(DevicesResponse point) {
        return point.device() + ", " + point.deployment();
    }
}
