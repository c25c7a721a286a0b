package io.throughputoptimizer.api.result.measurement;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.workload.ArrivalCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Arrival times of the requests of a trace.
@Schema(name = "TraceArrivals")
public record ArrivalsResponse(
        double firstSeconds,
        double spanSeconds,
        @Nullable Double requestsPerS,
        @Nullable Long busiestMinuteRequests,
        @Nullable Double peakHourRequestsPerS,
        @Nullable Double dispersionOfSeconds,
        @Nullable Double dispersionOfMinutes,
        List<HourResponse> hours) {
    private static final int MILLIS = 1_000;
    private static final int SECONDS = 3_600;

    /// Requests of an hour.
    @Schema(name = "TraceHour")
    public record HourResponse(
            long fromSeconds, long requests, @Nullable Double requestsPerS) {}

    static ArrivalsResponse of(ArrivalCounts counts) {
        long[] hours = counts.hours();
        long from = Math.floorDiv(counts.first(), (long) MILLIS * SECONDS);
        List<HourResponse> shown = new ArrayList<>();
        double peak = 0;
        for (int hour = 0; hour < hours.length; hour++) {
            boolean whole = hour > 0 && hour < hours.length - 1;
            double rate = (double) hours[hour] / SECONDS;
            peak = whole ? Math.max(peak, rate) : peak;
            shown.add(new HourResponse((from + hour) * SECONDS, hours[hour], whole ? (Double) rate : null));
        }
        return new ArrivalsResponse(
                (double) counts.first() / MILLIS,
                counts.span(),
                orNull(counts.rate()),
                hours.length == 0 ? null : (Long) counts.busiestMinute(),
                hours.length > 2 ? (Double) peak : null,
                orNull(counts.dispersionOfSeconds()),
                orNull(counts.dispersionOfMinutes()),
                shown);
    }

    private static @Nullable Double orNull(OptionalDouble figure) {
        return figure.isPresent() ? (Double) figure.getAsDouble() : null;
    }
}
