package io.throughputoptimizer;

import io.micrometer.core.instrument.MeterRegistry;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.JobSettings.Retention;
import io.throughputoptimizer.job.RunOptimization;
import io.throughputoptimizer.measurement.MeasurementTable;
import io.throughputoptimizer.measurement.NamedMeasurements;
import io.throughputoptimizer.sweep.Sweep;
import io.throughputoptimizer.sweep.SweepCells;
import io.throughputoptimizer.sweep.SweepRunner;
import io.throughputoptimizer.sweep.SweepSettings;
import io.throughputoptimizer.sweep.SweepStore;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// Puts together what keeps and runs sweeps.
@Configuration(proxyBeanMethods = false)
class SweepConfiguration {

    @Bean
    SweepSettings sweepSettings(OptimizerProperties settings) {
        OptimizerProperties.Sweeps sweeps = settings.sweeps();
        OptimizerProperties.Recovery recovery = settings.recovery();
        return new SweepSettings(
                sweeps.threads(),
                sweeps.capacity(),
                sweeps.maximumCells(),
                settings.jobs().timeout(),
                recovery.attempts(),
                recovery.heartbeat(),
                recovery.stopGrace(),
                new Retention(sweeps.count(), settings.retention().age()));
    }

    @Bean
    SweepStore sweepStore(JdbcClient jdbc) {
        return new SweepStore(jdbc);
    }

    @Bean
    JobEvents<Sweep.Standing> sweepEvents(SweepStore store) {
        return new JobEvents<>(store::standings);
    }

    /// Cells are searched side by side, so each by one thread alone.
    @Bean
    SweepCells sweepCells(
            RequestValidator validator,
            ProblemReader problems,
            AnalyticForwardEstimator estimator,
            MeasurementTable measurements,
            OptimizerProperties settings) {
        long memoryBytes = settings.jobs().memoryBytes(Runtime.getRuntime().maxMemory());
        Optimizer alone = new Optimizer(estimator, Runnable::run, 1, memoryBytes);
        return new SweepCells(
                validator,
                problems,
                new RunOptimization(problems, alone, estimator),
                owner -> new NamedMeasurements(measurements, other -> owner == null || owner.equals(other)),
                settings.jobs().timeout());
    }

    @Bean
    SweepRunner sweepRunner(
            DataSource database,
            TransactionTemplate transaction,
            SweepStore store,
            JobEvents<Sweep.Standing> events,
            SweepCells cells,
            SweepSettings settings,
            MeterRegistry meters,
            Clock clock) {
        return new SweepRunner(
                new SweepRunner.Persistence(database, transaction, store, events), cells, settings, meters, clock);
    }
}
