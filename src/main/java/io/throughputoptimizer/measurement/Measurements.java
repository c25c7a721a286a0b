package io.throughputoptimizer.measurement;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.throughputoptimizer.api.reading.MeasurementReader.Compared;
import io.throughputoptimizer.api.result.measurement.MeasurementResponse;
import io.throughputoptimizer.job.JobIds;
import io.throughputoptimizer.job.JobRetention;
import io.throughputoptimizer.job.JobSettings;
import io.throughputoptimizer.quota.CallerId;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/// Stores sets of measurements and deletes expired ones. Thread-safe.
public final class Measurements implements SmartLifecycle {
    /// Source of rows that did not come in a tool's file.
    public static final String ROWS = "rows";

    private final MeasurementTable table;
    private final JobRetention retention;
    private final Clock clock;
    private final JobIds ids;
    private final Counter taken;
    private volatile boolean running;

    public Measurements(MeasurementTable table, JobSettings.Retention settings, MeterRegistry meters, Clock clock) {
        this.table = table;
        this.retention = new JobRetention(table, settings, clock);
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
        MeasurementResponse measurements = MeasurementResponse.of(
                ids.next().toString(), clock.instant().truncatedTo(ChronoUnit.MILLIS), source, compared);
        table.add(measurements, owner, callerId);
        taken.increment();
        return measurements;
    }

    @Override
    public void start() {
        running = true;
        retention.start();
    }

    @Override
    public void stop() {
        retention.stop();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
