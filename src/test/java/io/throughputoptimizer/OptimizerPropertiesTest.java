package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;

class OptimizerPropertiesTest {

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(OptimizerProperties.class)
    static class Settings {}

    private final ApplicationContextRunner service = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
            .withUserConfiguration(Settings.class);

    @Test
    void theDefaults() {
        service.run(context -> assertThat(context.getBean(OptimizerProperties.class))
                .isEqualTo(new OptimizerProperties(
                        new OptimizerProperties.Catalog(null, null),
                        new OptimizerProperties.Jobs(2, 100, 1000, 0),
                        new OptimizerProperties.Cache(100_000),
                        new OptimizerProperties.Http(
                                DataSize.ofMegabytes(1), Duration.ofSeconds(60), Duration.ofSeconds(5)))));
    }

    @Test
    void everySettingHasItsName() {
        service.withPropertyValues(
                        "optimizer.catalog.devices-folder=d",
                        "optimizer.catalog.models-folder=m",
                        "optimizer.jobs.workers=3",
                        "optimizer.jobs.queue-capacity=4",
                        "optimizer.jobs.retained=5",
                        "optimizer.jobs.search-parallelism=6",
                        "optimizer.cache.maximum-estimates=7",
                        "optimizer.http.maximum-body=8KB",
                        "optimizer.http.maximum-wait=9s",
                        "optimizer.http.retry-after=10s")
                .run(context -> assertThat(context.getBean(OptimizerProperties.class))
                        .isEqualTo(new OptimizerProperties(
                                new OptimizerProperties.Catalog(Path.of("d"), Path.of("m")),
                                new OptimizerProperties.Jobs(3, 4, 5, 6),
                                new OptimizerProperties.Cache(7),
                                new OptimizerProperties.Http(
                                        DataSize.ofKilobytes(8), Duration.ofSeconds(9), Duration.ofSeconds(10)))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "optimizer.jobs.workers=0",
                "optimizer.jobs.workers=two",
                "optimizer.jobs.queue-capacity=0",
                "optimizer.jobs.retained=0",
                "optimizer.jobs.search-parallelism=-1",
                "optimizer.cache.maximum-estimates=-1",
                "optimizer.http.maximum-body=0B",
                "optimizer.http.maximum-body=2GB",
                "optimizer.http.maximum-body=-1",
                "optimizer.http.maximum-wait=-1s",
                "optimizer.http.maximum-wait=2h",
                "optimizer.http.retry-after=0s"
            })
    void aValueOutOfRangeStopsTheStart(String setting) {
        String name = setting.substring(0, setting.indexOf('='));
        String leaf = name.substring(name.lastIndexOf('.') + 1);

        service.withPropertyValues(setting)
                .run(context -> assertThat(context.getStartupFailure())
                        .isNotNull()
                        .rootCause()
                        .satisfiesAnyOf(
                                cause -> assertThat(cause).hasMessageContaining(leaf),
                                cause -> assertThat(cause).hasMessageContaining(camelCase(leaf)),
                                cause -> assertThat(cause).isInstanceOf(NumberFormatException.class)));
    }

    private static String camelCase(String name) {
        StringBuilder camel = new StringBuilder();
        for (String word : name.split("-", 0)) {
            camel.append(camel.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return camel.toString();
    }
}
