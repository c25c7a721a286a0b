package io.throughputoptimizer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.JobRequest;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobSettings;
import io.throughputoptimizer.job.JobStanding;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.job.RunOptimization;
import io.throughputoptimizer.job.WrittenResult;
import java.time.Clock;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// Puts together what keeps and runs jobs.
@Configuration(proxyBeanMethods = false)
class JobConfiguration {

    @Bean
    JobSettings jobSettings(OptimizerProperties settings) {
        OptimizerProperties.Jobs jobs = settings.jobs();
        OptimizerProperties.Recovery recovery = settings.recovery();
        return new JobSettings(
                new JobSettings.Capacity(jobs.workers(), jobs.queueCapacity()),
                new JobSettings.Endurance(
                        jobs.timeout(), recovery.attempts(), recovery.heartbeat(), recovery.stopGrace()),
                new JobSettings.Retention(
                        settings.retention().count(), settings.retention().age()));
    }

    @Bean
    JobStore jobStore(JdbcClient jdbc) {
        return new JobStore(jdbc);
    }

    @Bean
    JobEvents<JobStanding> jobEvents(JobStore store) {
        return new JobEvents<>(store::standings);
    }

    @Bean
    JobRunner.Persistence jobPersistence(
            DataSource database, TransactionTemplate transaction, JobStore store, JobEvents<JobStanding> events) {
        return new JobRunner.Persistence(database, transaction, store, events);
    }

    @Bean
    RunOptimization runOptimization(ProblemReader problems, Optimizer optimizer, AnalyticForwardEstimator estimator) {
        return new RunOptimization(problems, optimizer, estimator);
    }

    @Bean
    JobRunner jobRunner(
            JobRunner.Persistence persistence,
            BiFunction<JobRequest, SearchMonitor, WrittenResult> search,
            JobSettings settings,
            MeterRegistry meters,
            ObservationRegistry observations,
            Clock clock) {
        return new JobRunner(persistence, search, settings, new JobRunner.Monitoring(meters, observations), clock);
    }
}
