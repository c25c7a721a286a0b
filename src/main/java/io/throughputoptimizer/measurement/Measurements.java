package io.throughputoptimizer.measurement;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.throughputoptimizer.api.reading.MeasurementReader.Compared;
import io.throughputoptimizer.api.result.measurement.MeasurementResponse;
import io.throughputoptimizer.job.JobColumns;
import io.throughputoptimizer.job.JobIds;
import io.throughputoptimizer.quota.CallerId;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/// Accepts sets of measurements. Thread-safe.
public final class Measurements {
    /// Source of rows that did not come in a tool's file.
    public static final String ROWS = "rows";

    private final MeasurementTable table;
    private final Clock clock;
    private final JobIds ids;
    private final Counter taken;

    public Measurements(MeasurementTable table, MeterRegistry meters, Clock clock) {
        this.table = table;
        this.clock = clock;
        this.ids = new JobIds(clock);
        this.taken = Counter.builder("optimizer.measurements.taken")
                .description("Sets of measurements that this replica took.")
                .register(meters);
    }

    /// Stores a set.
    ///
    /// @param source tool that printed the rows
    /// @param owner owner; null without access control
    /// @param callerId caller whose quota it counts against
    public MeasurementResponse take(Compared compared, String source, @Nullable String owner, CallerId callerId) {
        MeasurementResponse measurements =
                MeasurementResponse.of(ids.next().toString(), JobColumns.now(clock), source, compared);
        table.add(measurements, owner, callerId);
        taken.increment();
        return measurements;
    }
}
