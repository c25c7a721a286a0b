package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowSimulationResponse;
import io.throughputoptimizer.api.result.SteadyRowResponse;
import io.throughputoptimizer.api.result.figure.StatisticsResponse;
import io.throughputoptimizer.api.result.figure.StatisticsResponse.PercentileResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.BandedFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A percentile that a row's simulation showed.
///
/// @param name such as `TTFT p99`
/// @param limitMillis that it is held against; absent where limits are on means or on another percentile
record SimulatedPercentile(
        String name, BandedFigure value, @Nullable Double limitMillis) {

    /// p50, p90 and p99 of TTFT and TPOT, with a limit on it of whole answers, and the percentile
    /// that limits are on, from the lowest to the highest; none of
    /// a row that was not simulated.
    static List<SimulatedPercentile> of(RowResponse row) {
        SteadyRowResponse steady = row.steady();
        RowSimulationResponse simulation = steady == null ? null : steady.simulation();
        List<SimulatedPercentile> figures = new ArrayList<>();
        if (simulation != null) {
            add(figures, "TTFT", simulation.ttftMs());
            add(figures, "TPOT", simulation.tpotMs());
            add(figures, "Request latency", simulation.e2eLatencyMs());
        }
        return figures;
    }

    /// The limit for the end of a line; nothing where there is none.
    String held() {
        return limitMillis == null ? "" : ", limit " + Decimals.shortest(limitMillis) + " ms";
    }

    private static void add(List<SimulatedPercentile> figures, String name, @Nullable StatisticsResponse of) {
        if (of != null) {
            SimulatedFigures.of(of).stream()
                    .skip(1)
                    .map(statistic -> new SimulatedPercentile(
                            name + " " + statistic.name(), statistic.figure(), limit(of, statistic.name())))
                    .forEach(figures::add);
        }
    }

    private static @Nullable Double limit(StatisticsResponse of, String name) {
        return of.others().stream()
                .filter(other -> name.equals("p" + Decimals.general(other.percentile())))
                .map(PercentileResponse::limitMs)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
