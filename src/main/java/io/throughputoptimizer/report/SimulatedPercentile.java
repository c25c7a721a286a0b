package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowSimulationResponse;
import io.throughputoptimizer.api.result.StatisticsResponse;
import io.throughputoptimizer.api.result.SteadyRowResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A percentile that a row's simulation showed.
///
/// @param name such as `TTFT p99`
record SimulatedPercentile(String name, BandedFigure value) {

    /// p50, p90 and p99 of TTFT and TPOT; none of a row that was not simulated.
    static List<SimulatedPercentile> of(RowResponse row) {
        SteadyRowResponse steady = row.steady();
        RowSimulationResponse simulation = steady == null ? null : steady.simulation();
        List<SimulatedPercentile> figures = new ArrayList<>();
        if (simulation != null) {
            add(figures, "TTFT", simulation.ttftMs());
            add(figures, "TPOT", simulation.tpotMs());
        }
        return figures;
    }

    private static void add(List<SimulatedPercentile> figures, String name, @Nullable StatisticsResponse of) {
        if (of != null) {
            figures.add(
                    new SimulatedPercentile(name + " p50", new BandedFigure(of.p50(), of.p50Band(), of.p50Range())));
            figures.add(
                    new SimulatedPercentile(name + " p90", new BandedFigure(of.p90(), of.p90Band(), of.p90Range())));
            figures.add(
                    new SimulatedPercentile(name + " p99", new BandedFigure(of.p99(), of.p99Band(), of.p99Range())));
        }
    }
}
