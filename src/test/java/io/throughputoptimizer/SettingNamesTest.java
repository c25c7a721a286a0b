package io.throughputoptimizer;

import static io.throughputoptimizer.SettingEnvironments.complaints;
import static io.throughputoptimizer.SettingEnvironments.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// No name of a setting is ignored, and all are known by the same names.
class SettingNamesTest {
    @ParameterizedTest
    @CsvSource({
        "--optimizer.jobs.wokers=2, optimizer.jobs.workers",
        "--optimizer.jobs.Search_Paralelism=2, optimizer.jobs.search-parallelism",
        "--optimizer.jobs.workers[0]=2, optimizer.jobs.workers",
        "--optimizer.jobs=2, optimizer.jobs.workers",
        "--optimiser.jobs.workers=2, optimizer.jobs.workers",
        "--port=8080, server.port"
    })
    void aMisspeltArgumentIsRefusedWithTheNearestName(String argument, String nearest) throws IOException {
        String name = argument.replaceAll("^--|=.*", "");

        assertThat(SettingsCheck.complaints(
                        SettingEnvironments.of(new SimpleCommandLinePropertySource(argument)), argument))
                .singleElement()
                .asString()
                .startsWith(name + " in ")
                .endsWith(" is no setting; nearest to it: " + nearest);
    }

    @ParameterizedTest
    @CsvSource({
        "--server.prot=8080, server.port",
        "--spring.datasource.ulr=jdbc:h2:mem:a, spring.datasource.url",
        "--spring.datasource.hikari.maximumPoolsize2=4, spring.datasource.hikari.maximum-pool-size",
        "--management.endpoints.web.exposure.inclde=health, management.endpoints.web.exposure.include"
    })
    void aMisspeltNameOfSpringsIsWarnedOfWithTheNearestOne(String argument, String nearest) throws IOException {
        String name = argument.replaceAll("^--|=.*", "");

        assertThat(SpringSettingNames.unknown(SettingEnvironments.of(new SimpleCommandLinePropertySource(argument))))
                .containsExactly(name
                        + " in commandLineArgs is no setting that a library says it reads; nearest to it: " + nearest);
        assertThat(SpringSettingNames.unknown(SettingEnvironments.of(yaml(name + ": 1"))))
                .singleElement()
                .asString()
                .endsWith(nearest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server.port=8080",
                "server.tomcat.maxConnections=8",
                "SERVER.PORT=8080",
                "spring.datasource.hikari.maximum-pool-size=4",
                "spring.datasource.hikari.data-source-properties.ssl=true",
                "spring.config.import[0]=optional:file:a.yaml",
                "spring.profiles.active=mine",
                "management.endpoint.health.group.mine.include=db",
                "management.metrics.distribution.slo.[optimizer.search]=1s"
            })
    void nobodyIsWarnedOfNamesThatAreRead(String setting) throws IOException {
        assertThat(SpringSettingNames.unknown(
                        SettingEnvironments.of(new SimpleCommandLinePropertySource("--" + setting))))
                .isEmpty();
    }

    @Test
    void nobodyIsWarnedOfWhatTheServiceSetsItself() throws IOException {
        String own = new ClassPathResource("application.yaml").getContentAsString(StandardCharsets.UTF_8);

        assertThat(SpringSettingNames.unknown(SettingEnvironments.of(yaml(own))))
                .isEmpty();
        assertThat(SpringSettingNames.unknown(SettingEnvironments.of(yaml("server:\n#  port: 1"))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"optimizer.jobs.workers=2", "-optimizer.jobs.workers=2", "serve", "key"})
    void anArgumentThatIsNoSettingIsRefused(String argument) throws IOException {
        assertThat(SettingsCheck.complaints(
                        SettingEnvironments.of(new SimpleCommandLinePropertySource(argument)), argument))
                .containsExactly("\"" + argument
                        + "\" on the command line is not understood: settings such as --server.port=8080 are needed");
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIMIZER_JOBS_WOKERS, OPTIMIZER_JOBS_WORKERS",
        "optimizer_jobs_wokers, OPTIMIZER_JOBS_WORKERS",
        "OPTIMIZER_HTTP_ALLOWED_HOST, OPTIMIZER_HTTP_ALLOWED_HOSTS",
        "OPTIMIZER_JOBS_WORKERS_0, OPTIMIZER_JOBS_WORKERS",
        "OPTIMIZER_WORKERS, OPTIMIZER_JOBS_WORKERS",
        "optimizer.jobs.wokers, optimizer.jobs.workers"
    })
    void aMisspeltVariableIsRefusedWithTheNearestName(String variable, String nearest) throws IOException {
        assertThat(complaints(variables(variable)))
                .singleElement()
                .asString()
                .startsWith(variable + " in ")
                .endsWith(" is no setting; nearest to it: " + nearest);
    }

    private static PropertySource<?> variables(String name) {
        return new SystemEnvironmentPropertySource("systemEnvironment", Map.of(name, "3"));
    }

    /// Spring reads these, or nobody does, and both is meant.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "OPTIMIZER_JOBS_WORKERS",
                "optimizer_jobs_workers",
                "OPTIMIZER_JOBS_QUEUE_CAPACITY",
                "OPTIMIZER_JOBS_QUEUECAPACITY",
                "OPTIMIZER_HTTP_ALLOWED_HOSTS_0",
                "OPTIMIZER_HTTP_ALLOWEDHOSTS_0_",
                "OPTIMIZER_SERVICE_HOST",
                "OPTIMIZER_SERVICE_PORT_HTTP",
                "OPTIMIZER_PORT",
                "OPTIMIZER_PORT_8080_TCP_ADDR",
                "OPTIMIZER_WEB_PORT_8080_TCP",
                "OPTIMIZERS",
                "PATH"
            })
    void otherVariablesAreTaken(String variable) throws IOException {
        assertThat(complaints(variables(variable))).isEmpty();
    }

    @Test
    void aMisspeltNameInAFileIsRefused() throws IOException {
        assertThat(complaints(yaml("""
                        optimizer:
                          jobs:
                            workers: 3
                            wokers: 2
                          http:
                            allowed-hosts: [a, b]
                          retention:
                        """)))
                .containsExactly(
                        "optimizer.jobs.wokers in config is no setting; nearest to it: optimizer.jobs.workers");
    }

    /// A table of the documentation has each setting, and no other.
    @Test
    void theDocumentationListsThem() throws IOException {
        List<String> documented = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("docs", "configuration.md"))) {
            if (line.startsWith("| `")) {
                for (String name :
                        line.split(" \\| ", 2)[0].replaceAll("[|` ]", "").split(",", -1)) {
                    String before = documented.isEmpty() ? "" : documented.getLast();
                    documented.add(
                            name.indexOf('.') < 0 ? before.substring(0, before.lastIndexOf('.') + 1) + name : name);
                }
            }
        }
        documented.removeAll(List.of("spring.datasource.username", "spring.datasource.password"));

        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(
                        SettingCases.settings().map(Setting::name).toList());
    }

    /// What the build writes, where it was the build that made the classes.
    @Test
    void theMetadataOfTheConfigurationListsThem() throws Exception {
        Path metadata = Path.of(SettingsCheck.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve("META-INF/spring-configuration-metadata.json");
        assumeThat(metadata).exists();
        List<String> names = new ArrayList<>();
        for (JsonNode property :
                JsonMapper.shared().readTree(Files.readString(metadata)).required("properties")) {
            names.add(property.required("name").asString());
        }

        assertThat(names)
                .containsExactlyInAnyOrderElementsOf(
                        KnownSettings.own().stream().map(Setting::name).toList());
    }
}
