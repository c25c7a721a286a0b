package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
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
                        new OptimizerProperties.Catalog(null, null, null),
                        new OptimizerProperties.Hub(null, null, Duration.ofSeconds(5), DataSize.ofMegabytes(8)),
                        new OptimizerProperties.Storage("./data"),
                        new OptimizerProperties.Jobs(
                                4,
                                100,
                                0,
                                2_500_000,
                                Duration.ofSeconds(3),
                                Duration.ofMinutes(10),
                                DataSize.ofBytes(0)),
                        new OptimizerProperties.Sweeps(0, 20, 100_000, 100),
                        new OptimizerProperties.Recovery(4, Duration.ofSeconds(5), Duration.ofSeconds(3)),
                        new OptimizerProperties.Retention(1000, Duration.ofDays(30)),
                        new OptimizerProperties.Cache(100_000),
                        new OptimizerProperties.Http(
                                List.of(),
                                DataSize.ofMegabytes(1),
                                DataSize.ofMegabytes(8),
                                DataSize.ofBytes(0),
                                DataSize.ofMegabytes(50),
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(60),
                                1000,
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(5)))));
    }

    @Test
    void everySettingHasItsName() {
        service.withPropertyValues(
                        "optimizer.catalog.devices-folder=d",
                        "optimizer.catalog.models-folder=m",
                        "optimizer.catalog.length-distributions-folder=l",
                        "optimizer.hub.url=https://hub.example",
                        "optimizer.hub.folder=h",
                        "optimizer.hub.timeout=20s",
                        "optimizer.hub.maximum-size=21KB",
                        "optimizer.jobs.workers=3",
                        "optimizer.jobs.queue-capacity=4",
                        "optimizer.storage.folder=~/s",
                        "optimizer.jobs.maximum-points=5",
                        "optimizer.jobs.timeout=11s",
                        "optimizer.jobs.maximum-memory=18MB",
                        "optimizer.sweeps.workers=23",
                        "optimizer.sweeps.capacity=24",
                        "optimizer.sweeps.maximum-cells=25",
                        "optimizer.sweeps.count=26",
                        "optimizer.recovery.attempts=12",
                        "optimizer.recovery.heartbeat=13s",
                        "optimizer.recovery.stop-grace=14s",
                        "optimizer.retention.count=15",
                        "optimizer.retention.age=16d",
                        "optimizer.jobs.search-parallelism=6",
                        "optimizer.jobs.prompt-time=19s",
                        "optimizer.cache.maximum-operators=7",
                        "optimizer.http.allowed-hosts=planner,[::2]",
                        "optimizer.http.body-timeout=17s",
                        "optimizer.http.maximum-body=8KB",
                        "optimizer.http.maximum-bodies=16KB",
                        "optimizer.http.maximum-config=24KB",
                        "optimizer.http.maximum-trace=20MB",
                        "optimizer.http.maximum-wait=9s",
                        "optimizer.http.maximum-waiting=22",
                        "optimizer.http.keep-alive=20s",
                        "optimizer.http.retry-after=10s")
                .run(context -> assertThat(context.getBean(OptimizerProperties.class))
                        .isEqualTo(new OptimizerProperties(
                                new OptimizerProperties.Catalog(Path.of("d"), Path.of("m"), Path.of("l")),
                                new OptimizerProperties.Hub(
                                        URI.create("https://hub.example"),
                                        Path.of("h"),
                                        Duration.ofSeconds(20),
                                        DataSize.ofKilobytes(21)),
                                new OptimizerProperties.Storage("~/s"),
                                new OptimizerProperties.Jobs(
                                        3,
                                        4,
                                        6,
                                        5,
                                        Duration.ofSeconds(19),
                                        Duration.ofSeconds(11),
                                        DataSize.ofMegabytes(18)),
                                new OptimizerProperties.Sweeps(23, 24, 25, 26),
                                new OptimizerProperties.Recovery(12, Duration.ofSeconds(13), Duration.ofSeconds(14)),
                                new OptimizerProperties.Retention(15, Duration.ofDays(16)),
                                new OptimizerProperties.Cache(7),
                                new OptimizerProperties.Http(
                                        List.of("planner", "[::2]"),
                                        DataSize.ofKilobytes(8),
                                        DataSize.ofKilobytes(24),
                                        DataSize.ofKilobytes(16),
                                        DataSize.ofMegabytes(20),
                                        Duration.ofSeconds(17),
                                        Duration.ofSeconds(9),
                                        22,
                                        Duration.ofSeconds(20),
                                        Duration.ofSeconds(10)))));
    }

    @Test
    void fetchedConfigurationsLieBesideTheDatabaseUnlessToldOtherwise() {
        service.withPropertyValues("optimizer.storage.folder=~/s")
                .run(context -> assertThat(hubFolder(context.getBean(OptimizerProperties.class)))
                        .isEqualTo(Path.of(System.getProperty("user.home"), "s", "hub")));
        service.withPropertyValues("optimizer.hub.folder=h")
                .run(context -> assertThat(hubFolder(context.getBean(OptimizerProperties.class)))
                        .isEqualTo(Path.of("h")));
    }

    private static Path hubFolder(OptimizerProperties settings) {
        return settings.hub().folder(settings.storage());
    }

    @Test
    void aSearchMayKeepItsShareOfAQuarterOfTheHeapUnlessToldOtherwise() {
        service.run(context -> assertThat(
                        context.getBean(OptimizerProperties.class).jobs().memoryBytes(1 << 30))
                .isEqualTo((1 << 30) / 4 / 4));
        service.withPropertyValues("optimizer.jobs.maximum-memory=18MB")
                .run(context -> assertThat(context.getBean(OptimizerProperties.class)
                                .jobs()
                                .memoryBytes(1 << 30))
                        .isEqualTo(18 << 20));
    }
}
