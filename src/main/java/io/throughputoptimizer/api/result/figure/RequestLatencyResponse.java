package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedPoint.Uncertain;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// The time of a whole answer, where a limit is on it.
@Schema(name = "RequestLatency")
public record RequestLatencyResponse(
        @Nullable Double e2eLatencyMs,
        @Nullable BandResponse e2eLatencyMsBand,
        @Nullable BandResponse e2eLatencyMsRange) {

    /// Absent where no limit is on it, or none is known.
    public static @Nullable RequestLatencyResponse of(@Nullable Double millis, Limits limits) {
        return millis == null || limits.requestLatencyMillis() == null
                ? null
                : new RequestLatencyResponse(millis, null, null);
    }

    /// Absent where no limit is on it.
    public static @Nullable RequestLatencyResponse of(CalibratedPoint at, Limits limits) {
        if (limits.requestLatencyMillis() == null) {
            return null;
        }
        Uncertain latency = at.requestLatencyMillis(limits.basis());
        return new RequestLatencyResponse(latency.value(), BandResponse.of(latency), BandResponse.rangeOf(latency));
    }

    /// Returns the response, or null.
    public static @Nullable RequestLatencyResponse orAbsent(@Nullable RequestLatencyResponse latency) {
        return latency == null || latency.e2eLatencyMs == null ? null : latency;
    }
}
