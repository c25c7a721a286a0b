package io.throughputoptimizer.api.result.measurement;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.workload.ArrivalCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Arrival times of the requests of a trace.
@Schema(name = "TraceArrivals", description = "Arrival times of a trace, on its own clock.")
public record ArrivalsResponse(
        @Schema(
                description = "Time of the first request in seconds; of dates since 1970 in UTC.",
                example = "1767603600")
        double firstSeconds,

        @Schema(description = "Seconds from the first request to the last.", example = "3600")
        double spanSeconds,

        @Schema(
                description = "Number of requests after the first, divided by `span_seconds`. Absent if all arrive"
                        + " at the same time.",
                example = "2.5")
        @Nullable
        Double requestsPerS,

        @Schema(
                description = "Requests in the busiest minute of the clock; absent if the trace has more than 262,144"
                        + " minutes.",
                example = "240")
        @Nullable
        Long busiestMinuteRequests,

        @Schema(
                description =
                        "Most requests per second in an hour of the clock that is whole between the first request and"
                                + " the last; absent without one.",
                example = "3.1")
        @Nullable
        Double peakHourRequestsPerS,

        @Schema(
                description = "Index of dispersion of requests per second: variance divided by mean, over the whole"
                        + " seconds between the first and the last request. 1 for independent arrivals, more for"
                        + " bursts. Absent with fewer than 2 or more than 700,000 seconds.",
                example = "1.2")
        @Nullable
        Double dispersionOfSeconds,

        @Schema(description = "Dispersion of requests per minute, up to 262,144 minutes.", example = "4.2") @Nullable
        Double dispersionOfMinutes,

        @Schema(
                description =
                        "Hours of the clock from the first request to the last; none if the trace has more than 262,144"
                                + " minutes.")
        List<HourResponse> hours) {
    private static final int MILLIS = 1_000;
    private static final int SECONDS = 3_600;

    /// Requests of an hour.
    @Schema(name = "TraceHour", description = "Requests of an hour of the clock.")
    public record HourResponse(
            @Schema(description = "Start of the hour, in seconds on the trace's clock.", example = "1767603600")
            long fromSeconds,

            @Schema(description = "Requests that came in it.", example = "9000")
            long requests,

            @Schema(
                    description = "Requests by its 3600 seconds; absent of an hour that the trace has a part of only.",
                    example = "2.5")
            @Nullable
            Double requestsPerS) {}

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
