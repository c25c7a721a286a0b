package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.KeysCommand.SettingsConfiguration;
import io.throughputoptimizer.security.Protection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.unit.DataSize;

class OptimizerPropertiesTest {

    private final ApplicationContextRunner service = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
            .withUserConfiguration(SettingsConfiguration.class);

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
                                List.of(),
                                DataSize.ofMegabytes(1),
                                DataSize.ofMegabytes(8),
                                DataSize.ofBytes(0),
                                DataSize.ofMegabytes(50),
                                Duration.ofSeconds(60),
                                1000,
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(5)),
                        new OptimizerProperties.Mcp(true),
                        new OptimizerProperties.Prices("USD", List.of()),
                        new SecurityProperties(
                                Protection.Setting.AUTOMATIC,
                                600,
                                20,
                                new SecurityProperties.Jwt(null, null, null, "scope", "optimizer:")))));
    }

    @Test
    void everySettingHasItsName() {
        service.withPropertyValues(
                        "optimizer.catalog.devices-folder=src",
                        "optimizer.catalog.models-folder=docs",
                        "optimizer.catalog.length-distributions-folder=deploy",
                        "optimizer.hub.url=https://hub.example",
                        "optimizer.hub.folder=target",
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
                        "optimizer.http.maximum-body=8KB",
                        "optimizer.http.maximum-bodies=16KB",
                        "optimizer.http.maximum-config=24KB",
                        "optimizer.http.maximum-trace=20MB",
                        "optimizer.http.maximum-wait=9s",
                        "optimizer.http.maximum-waiting=22",
                        "optimizer.http.keep-alive=20s",
                        "optimizer.http.retry-after=10s",
                        "optimizer.prices.currency=EUR",
                        "optimizer.prices.per-device-hour=H100_SXM:2.5,B200_SXM:4",
                        "optimizer.security.access=open",
                        "optimizer.security.requests-per-minute=1",
                        "optimizer.security.maximum-streams=2",
                        "optimizer.http.allowed-origins=https://a.example,https://b.example:81/",
                        "optimizer.security.jwt.issuer=https://i",
                        "optimizer.mcp.enabled=false",
                        "optimizer.security.jwt.jwk-set=https://j?k=l",
                        "optimizer.security.jwt.audience=a",
                        "optimizer.security.jwt.roles-claim=c.d",
                        "optimizer.security.jwt.role-prefix=")
                .run(context -> assertThat(context.getBean(OptimizerProperties.class))
                        .isEqualTo(new OptimizerProperties(
                                new OptimizerProperties.Catalog(Path.of("src"), Path.of("docs"), Path.of("deploy")),
                                new OptimizerProperties.Hub(
                                        "https://hub.example",
                                        Path.of("target"),
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
                                        List.of("https://a.example", "https://b.example:81/"),
                                        DataSize.ofKilobytes(8),
                                        DataSize.ofKilobytes(24),
                                        DataSize.ofKilobytes(16),
                                        DataSize.ofMegabytes(20),
                                        Duration.ofSeconds(9),
                                        22,
                                        Duration.ofSeconds(20),
                                        Duration.ofSeconds(10)),
                                new OptimizerProperties.Mcp(false),
                                new OptimizerProperties.Prices("EUR", List.of("H100_SXM:2.5", "B200_SXM:4")),
                                new SecurityProperties(
                                        Protection.Setting.OPEN,
                                        1,
                                        2,
                                        new SecurityProperties.Jwt("https://i", "https://j?k=l", "a", "c.d", "")))));
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    jobs.wokers=2                       | [optimizer.jobs.wokers] were left unbound
                    jobs.workers[0]=2                   | [optimizer.jobs.workers[0]] were left unbound
                    job.workers=2                       | [optimizer.job.workers] were left unbound
                    security.acess=keys                 | [optimizer.security.acess] were left unbound
                    jobs.workers=two                    | 'optimizer.jobs.workers' to int
                    jobs.workers=0                      | must be at least 1, got 0
                    jobs.timeout=31d                    | must be shorter than or equal to 30 days
                    jobs.timeout=soon                   | 'optimizer.jobs.timeout' to java.time.Duration
                    hub.maximum-size=11MB               | must be a size from 1B to 10MB
                    hub.url=https://user:secret@hub     | must begin with https:// or http:// and have a host
                    hub.url=ftp://hub                   | must begin with https:// or http:// and have a host
                    storage.folder=data                 | must be an absolute path or begin with ./, ../ or ~/
                    catalog.models-folder=missing       | optimizer.catalog.models-folder must be a readable folder, got missing.
                    http.allowed-hosts=http://a         | optimizer.http.allowed-hosts has http://a
                    security.access=maybe               | 'optimizer.security.access' to io.throughputoptimizer.security.Protection$Setting
                    http.allowed-origins=https://a/b    | must be an origin such as https://portal.example
                    security.jwt.roles-claim=a..b       | must be a name, or names joined by dots
                    jobs.maximum-memory=1TB             | optimizer.jobs.maximum-memory must not exceed the heap
                    security.jwt.audience=planner       | optimizer.security.jwt.audience must come with optimizer.security.jwt.issuer
                    """)
    void rejectsInvalidSettings(String setting, String reason) {
        service.withPropertyValues("optimizer." + setting)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(reason));
    }

    @Test
    void rejectsAHubWithoutAWritableFolder() {
        service.withPropertyValues("optimizer.hub.url=https://hub.example", "optimizer.storage.folder=./pom.xml")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("optimizer.hub.folder must be a writable folder, got ./pom.xml/hub."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OPTIMIZER_JOBS_WOKERS",
                "optimizer_jobs_wokers",
                "OPTIMIZER_HTTP_ALLOWED_HOST",
                "OPTIMIZER_JOBS_WORKERS_0",
                "OPTIMIZER_WORKERS"
            })
    void rejectsUnknownVariables(String name) {
        withVariable(name, "3")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(
                                "[" + name.toLowerCase(Locale.ROOT).replace('_', '.') + "] were left unbound"));
    }

    @Test
    void rejectsUnknownSystemProperties() {
        service.withSystemProperties("optimizer.jobs.wokers=3")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("[optimizer.jobs.wokers] were left unbound"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"OPTIMIZER_JOBS_QUEUE_CAPACITY", "OPTIMIZER_JOBS_QUEUECAPACITY", "optimizer_jobs_queuecapacity"})
    void readsVariables(String name) {
        withVariable(name, "3")
                .run(context -> assertThat(context.getBean(OptimizerProperties.class)
                                .jobs()
                                .queueCapacity())
                        .isEqualTo(3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OPTIMIZER_HTTP_ALLOWED_HOSTS_0",
                "OPTIMIZER_SERVICE_HOST",
                "OPTIMIZER_SERVICE_PORT_HTTP",
                "OPTIMIZER_PORT",
                "OPTIMIZER_PORT_8080_TCP_ADDR",
                "OPTIMIZER_WEB_PORT_8080_TCP",
                "OPTIMIZERS"
            })
    void startsWithVariablesOfOthers(String name) {
        withVariable(name, "3").run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void rejectsAnEmptyNumber() {
        withVariable("OPTIMIZER_JOBS_WORKERS", "")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("'optimizer.jobs.workers' to int"));
    }

    private ApplicationContextRunner withVariable(String name, String value) {
        return service.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .replace(
                        "systemEnvironment",
                        new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, value))));
    }
}
