package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedPoint.Uncertain;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.TurnLengths;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Figures at the unfavorable ends of their prediction intervals. A figure without an interval meets no limit.
final class WorstCase {
    private static final double MILLIS = 1000;

    private WorstCase() {}

    private static double thinkMillis(Traffic traffic) {
        return ((TurnLengths) traffic.lengths()).conversation().thinkMillis();
    }

    /// Returns the lowest request rate of all instances, or empty if unknown.
    static Optional<Ratio> requestsPerSecond(CalibratedPoint point) {
        return point.requestsPerSecond().band().filter(band -> band.low() > 0).map(band -> Ratio.of(band.low()));
    }

    /// Returns the lowest capacity in the unit of the requirement, or empty if figures have no interval or the
    /// lower end is unknown. Open conversations decrease when turns end later.
    ///
    /// @param held concurrent requests
    static Optional<Ratio> ability(CalibratedPoint point, Requirement requirement, Ratio held, Traffic traffic) {
        return switch (requirement.unit()) {
            case CONCURRENCY -> point.tpotMillis().band().map(_ -> held);
            case REQUESTS_PER_S, TOKENS_PER_S -> requestsPerSecond(point);
            case CONVERSATIONS ->
                requestsPerSecond(point)
                        .map(rate -> Ratio.of(held.value() + rate.value() * thinkMillis(traffic) / MILLIS));
        };
    }

    /// Returns the limits that the unfavorable figures violate.
    static List<Breach> breaches(CalibratedPoint point, Limits limits) {
        return Stream.of(
                        breach(Limit.TTFT_MILLIS, point.ttftMillis(), limits.ttftMillis()),
                        breach(Limit.TPOT_MILLIS, point.tpotMillis(), limits.tpotMillis()),
                        breach(
                                Limit.REQUEST_LATENCY_MILLIS,
                                point.requestLatencyMillis(limits.basis()),
                                limits.requestLatencyMillis()))
                .flatMap(broken -> broken)
                .toList();
    }

    private static Stream<Breach> breach(Limit limit, Uncertain figure, @Nullable Double allowed) {
        double high = figure.band()
                .map(band -> band.high().orElse(Double.POSITIVE_INFINITY))
                .orElse(Double.POSITIVE_INFINITY);
        return allowed == null || high <= allowed ? Stream.empty() : Stream.of(new Breach(limit, high, allowed));
    }
}
