package io.throughputoptimizer;

import static io.throughputoptimizer.SettingEnvironments.complaints;
import static io.throughputoptimizer.SettingEnvironments.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/// Every setting refuses what makes no sense; [SettingCases] has a case for each.
class SettingsCheckTest {
    private static final String EACH = "io.throughputoptimizer.SettingCases#settings";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource(EACH)
    void nonsenseIsRefusedInOneLine(Setting setting) throws IOException {
        for (String nonsense : SettingCases.nonsense(setting)) {
            String value = filled(nonsense);
            if (value.equals("{unwritable}")) {
                continue;
            }
            List<String> complaints = complaints(setting.name(), value);

            assertThat(complaints).as("%s=%s", setting.name(), value).hasSize(1);
            assertThat(complaints.getFirst())
                    .startsWith(setting.name() + " is \"")
                    .contains(" needed")
                    .doesNotContainPattern("\\p{Cntrl}")
                    .doesNotContain("secret")
                    .hasSizeLessThan(600);
            if (value.matches("[\\w.]{1,20}")) {
                assertThat(complaints.getFirst()).contains("is \"" + value + "\": ");
            }
        }
    }

    @ParameterizedTest
    @MethodSource(EACH)
    void whatMakesSenseIsTaken(Setting setting) throws IOException {
        for (String value : SettingCases.sense(setting)) {
            assertThat(complaints(setting.name(), filled(value)))
                    .as("%s=%s", setting.name(), value)
                    .isEmpty();
        }
    }

    /// With folders that there are; one that cannot be written is where the system has one.
    private String filled(String value) throws IOException {
        Path file = folder.resolve("file");
        if (Files.notExists(file)) {
            Files.createFile(file);
        }
        String filled = value.replace("{folder}", folder.toString())
                .replace("{file}", file.toString())
                .replace("{missing}", folder.resolve("missing").toString());
        return Files.isDirectory(Path.of("/proc/self")) ? filled.replace("{unwritable}", "/proc/self") : filled;
    }

    @Test
    void theDefaultsMakeSense() throws IOException {
        assertThat(complaints()).isEmpty();
    }

    @Test
    void severalAreToldAtOnceWithWhereTheyStand() throws IOException {
        PropertySource<?> variables = new SystemEnvironmentPropertySource(
                "systemEnvironment", Map.of("OPTIMIZER_JOBS_WORKERS", "two", "OPTIMIZER_JOBS_QUEUE_CAPACITY", "0"));

        assertThat(complaints(variables))
                .satisfiesExactly(
                        workers -> assertThat(workers)
                                .startsWith(
                                        "optimizer.jobs.workers is \"two\": a whole number from 1 to 1000 is needed (")
                                .contains("\"OPTIMIZER_JOBS_WORKERS\""),
                        capacity -> assertThat(capacity)
                                .startsWith("optimizer.jobs.queue-capacity is \"0\": ")
                                .contains("\"OPTIMIZER_JOBS_QUEUE_CAPACITY\""));
    }

    @Test
    void aSearchMayNotUseMoreThanTheHeap() throws IOException {
        assertThat(complaints("optimizer.jobs.maximum-memory", "1TB"))
                .singleElement()
                .asString()
                .startsWith("optimizer.jobs.maximum-memory is \"1TB\": no more than the heap is needed, which has ");
    }

    @Test
    void anAudienceIsNothingWithoutAnIssuer() throws IOException {
        assertThat(complaints(Map.of(
                        "optimizer.security.jwt.audience",
                        "planner",
                        "optimizer.security.jwt.issuer",
                        "https://issuer.example")))
                .isEmpty();
    }

    /// A database elsewhere leaves the folder alone.
    @Test
    void theFolderOfADatabaseThatIsNotUsedMayBeUnwritable() throws IOException {
        assertThat(complaints(Map.of(
                        "optimizer.storage.folder",
                        filled("{file}"),
                        "spring.datasource.url",
                        "jdbc:postgresql://a/b")))
                .isEmpty();
    }

    @Test
    void aListInAFileIsLookedAt() throws IOException {
        assertThat(complaints(yaml("optimizer.http.allowed-hosts: [a, a]")))
                .singleElement()
                .asString()
                .startsWith("optimizer.http.allowed-hosts is \"[a, a]\": different names");
        assertThat(complaints(yaml("optimizer.http.allowed-hosts: []"))).isEmpty();
    }
}
