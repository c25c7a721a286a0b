package io.throughputoptimizer;

import io.micrometer.core.instrument.MeterRegistry;
import io.throughputoptimizer.api.benchmark.ResultFormats;
import io.throughputoptimizer.api.reading.MeasurementReader;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.job.JobSettings;
import io.throughputoptimizer.measurement.MeasurementTable;
import io.throughputoptimizer.measurement.Measurements;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Puts together what compares and keeps measurements.
@Configuration(proxyBeanMethods = false)
class MeasurementConfiguration {

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
    Measurements measurements(MeasurementTable table, JobSettings settings, MeterRegistry meters, Clock clock) {
        return new Measurements(table, settings.retention(), meters, clock);
    }
}
