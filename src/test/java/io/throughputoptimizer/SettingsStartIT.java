package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A service with a wrong setting ends with code 1 and says why, without a stack trace and without a database.
@EveryNight
class SettingsStartIT {
    @TempDir
    private Path folder;

    private static void assertRejected(ServiceProcess.End end, String... lines) {
        assertThat(end.said())
                .contains("APPLICATION FAILED TO START")
                .contains(lines)
                .doesNotContain("\tat ");
        assertThat(end.code()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --optimizer.jobs.wokers=2             | optimizer.jobs.wokers         | The elements [optimizer.jobs.wokers] were left unbound
                    --optimizer.wrong=2                   | optimizer.wrong               | The elements [optimizer.wrong] were left unbound
                    --optimizer.jobs.workers=two          | optimizer.jobs.workers        | For input string: "two"
                    --optimizer.jobs.workers=0            | optimizer.jobs.workers        | must be greater than or equal to 1
                    --optimizer.security.jwt.audience=ann | optimizer.security.jwt        | optimizer.security.jwt.audience must come with
                    """)
    void rejectsInvalidSettings(String argument, String setting, String reason) throws Exception {
        assertRejected(ServiceProcess.end(folder, Map.of(), argument), setting, reason);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void rejectsInvalidVariables() throws Exception {
        assertRejected(
                ServiceProcess.end(folder, Map.of("OPTIMIZER_JOBS_TIMEOUT", "31d")),
                "optimizer.jobs.timeout",
                "OPTIMIZER_JOBS_TIMEOUT",
                "must be shorter than or equal to 30 days");
        assertRejected(
                ServiceProcess.end(folder, Map.of("OPTIMIZER_JOBS_TIMOUT", "1s")),
                "OPTIMIZER_JOBS_TIMOUT",
                "The elements [optimizer.jobs.timout] were left unbound");
    }

    @Test
    void rejectsInvalidSettingsOfKeys() throws Exception {
        assertRejected(
                ServiceProcess.end(folder, Map.of(), "keys", "create", "ann", "--optimizer.storage.foldr=./other"),
                "optimizer.storage.foldr");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void rejectsAFileOfTheCatalogue() throws Exception {
        Path devices = Files.createDirectory(folder.resolve("devices"));
        Files.writeString(devices.resolve("mine.yaml"), "name: MINE\n");

        assertRejected(
                ServiceProcess.end(
                        folder,
                        Map.of(),
                        "--server.port=0",
                        "--spring.datasource.url=jdbc:h2:mem:refused",
                        "--optimizer.catalog.devices-folder=" + devices),
                "mine.yaml: at /");
    }
}
