package io.throughputoptimizer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.throughputoptimizer.api.benchmark.ResultFormats;
import io.throughputoptimizer.api.reading.MeasurementReader;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.JobQueue;
import io.throughputoptimizer.job.JobRequest;
import io.throughputoptimizer.job.JobRetention;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobSettings;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.job.OptimizationJob;
import io.throughputoptimizer.job.RunOptimization;
import io.throughputoptimizer.job.WrittenResult;
import io.throughputoptimizer.measurement.MeasurementTable;
import io.throughputoptimizer.measurement.Measurements;
import io.throughputoptimizer.sweep.Sweep;
import io.throughputoptimizer.sweep.SweepCells;
import io.throughputoptimizer.sweep.SweepRunner;
import io.throughputoptimizer.sweep.SweepStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// Configuration of stored work: optimizations, sweeps, measurements, and their retention.
@Configuration(proxyBeanMethods = false)
class JobConfiguration {

    @Bean
    JobStore jobStore(JdbcClient jdbc) {
        return new JobStore(jdbc);
    }

    @Bean
    JobEvents<OptimizationJob.Standing> jobEvents(JobStore store) {
        return new JobEvents<>(store::standings);
    }

    @Bean
    RunOptimization runOptimization(ProblemReader problems, Optimizer optimizer, AnalyticForwardEstimator estimator) {
        return new RunOptimization(problems, optimizer, estimator);
    }

    @Bean
    JobRunner jobRunner(
            DataSource database,
            TransactionTemplate transaction,
            JobStore store,
            JobEvents<OptimizationJob.Standing> events,
            BiFunction<JobRequest, SearchMonitor, WrittenResult> search,
            OptimizerProperties settings,
            MeterRegistry meters,
            ObservationRegistry observations,
            Clock clock) {
        return new JobRunner(
                new JobQueue.Persistence<>(database, transaction, store, events),
                search,
                jobSettings(settings, settings.jobs().workers(), settings.jobs().queueCapacity()),
                new JobRunner.Monitoring(meters, observations),
                clock);
    }

    private static JobSettings jobSettings(OptimizerProperties settings, int workers, int capacity) {
        OptimizerProperties.Recovery recovery = settings.recovery();
        return new JobSettings(
                new JobSettings.Capacity(workers, capacity),
                new JobSettings.Endurance(
                        settings.jobs().timeout(), recovery.attempts(), recovery.heartbeat(), recovery.stopGrace()));
    }

    @Bean
    SweepStore sweepStore(JdbcClient jdbc) {
        return new SweepStore(jdbc);
    }

    @Bean
    JobEvents<Sweep.Standing> sweepEvents(SweepStore store) {
        return new JobEvents<>(store::standings);
    }

    /// Cells are searched concurrently, so each by one thread alone.
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
                owner -> measurements.sets(other -> owner == null || owner.equals(other)),
                settings.jobs().timeout());
    }

    @Bean
    SweepRunner sweepRunner(
            DataSource database,
            TransactionTemplate transaction,
            SweepStore store,
            JobEvents<Sweep.Standing> events,
            SweepCells cells,
            OptimizerProperties settings,
            MeterRegistry meters,
            Clock clock) {
        OptimizerProperties.Sweeps sweeps = settings.sweeps();
        return new SweepRunner(
                new JobQueue.Persistence<>(database, transaction, store, events),
                cells,
                jobSettings(settings, sweeps.threads(), sweeps.capacity()),
                sweeps.maximumCells(),
                meters,
                clock);
    }

    @Bean
    MeasurementReader measurementReader(
            Catalogs catalogs, RequestValidator validator, ProblemReader problems, Optimizer optimizer) {
        return new MeasurementReader(catalogs, validator, problems, optimizer);
    }

    /// Reads the mappings of benchmark tools, one file for each format.
    @Bean
    ResultFormats resultFormats() throws IOException {
        List<byte[]> mappings = new ArrayList<>();
        for (Resource mapping : new PathMatchingResourcePatternResolver().getResources("classpath:benchmarks/*.yaml")) {
            mappings.add(mapping.getContentAsByteArray());
        }
        return new ResultFormats(mappings);
    }

    @Bean
    MeasurementTable measurementTable(JdbcClient jdbc) {
        return new MeasurementTable(jdbc);
    }

    @Bean
    Measurements measurements(MeasurementTable table, MeterRegistry meters, Clock clock) {
        return new Measurements(table, meters, clock);
    }

    @Bean
    JobRetention retention(
            JobStore jobs,
            SweepStore sweeps,
            MeasurementTable measurements,
            OptimizerProperties settings,
            Clock clock) {
        Duration age = settings.retention().age();
        JobRetention.Limits limits =
                new JobRetention.Limits(settings.retention().count(), age);
        return new JobRetention(
                Map.of(
                        jobs.finished(),
                        limits,
                        sweeps.finished(),
                        new JobRetention.Limits(settings.sweeps().count(), age),
                        measurements.all(),
                        limits),
                clock);
    }
}
