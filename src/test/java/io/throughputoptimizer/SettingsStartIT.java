package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service whose settings are wrong ends with code 1 and says why, without a stack trace. What is wrong is for
/// [SettingsCheckTest].
@EveryNight
class SettingsStartIT {
    @TempDir
    private Path folder;

    private static void assertRefused(ServiceProcess.End end, String line) {
        assertThat(end.said()).contains(line).doesNotContain("\tat ");
        assertThat(end.code()).isEqualTo(1);
    }

    @Test
    void valuesAndNames() throws Exception {
        ServiceProcess.End end = ServiceProcess.end(
                folder,
                Map.of("OPTIMIZER_SECURITY_JWT_ISSUER", "issuer"),
                "--optimizer.jobs.wokers=2",
                "--server.port=70000",
                "--server.prot=8081");
        assertThat(end.said())
                .containsPattern(
                        "WARN .* : server.prot in commandLineArgs is no setting that a library says it reads; nearest to it: server.port");
        assertRefused(end, """

                optimizer.jobs.wokers in commandLineArgs is no setting; nearest to it: optimizer.jobs.workers
                optimizer.security.jwt.issuer is "issuer": an address is needed that begins with https:// or http:// and \
                has a host, no user, no query and no fragment (System Environment Property "OPTIMIZER_SECURITY_JWT_ISSUER")
                server.port is "70000": a whole number from 0 to 65535 is needed ("server.port" from property source \
                "commandLineArgs")
                """);
    }

    @Test
    void keysWouldGoIntoAnotherDatabase() throws Exception {
        assertRefused(
                ServiceProcess.end(folder, Map.of(), "keys", "create", "ann", "--optimizer.storage.foldr=./other"),
                "nearest to it: optimizer.storage.folder");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFileOfTheCatalogue() throws Exception {
        Path devices = Files.createDirectory(folder.resolve("devices"));
        Files.writeString(devices.resolve("mine.yaml"), "name: MINE\n");

        assertRefused(
                ServiceProcess.end(
                        folder,
                        Map.of(),
                        "--server.port=0",
                        "--spring.datasource.url=jdbc:h2:mem:refused",
                        "--optimizer.catalog.devices-folder=" + devices),
                "mine.yaml: at /");
    }
}
