package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.ServiceProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Services that cannot open their database say so in words.
@EveryNight
class DatabaseFailureIT {

    @Test
    void aSecondServiceInTheSameFolderSaysWhoHasTheDatabase(@TempDir Path folder) throws SQLException {
        try (Connection _ =
                DriverManager.getConnection("jdbc:h2:file:" + folder.resolve("data", "throughput-optimizer"))) {
            assertThatThrownBy(() -> ServiceProcess.start(folder))
                    .hasMessageContaining("Another process has the embedded database open")
                    .hasMessageContaining("OPTIMIZER_STORAGE_FOLDER");
        }
    }

    @Test
    void aServiceWhoseDatabaseIsAwaySaysWhatToCheck(@TempDir Path folder) {
        assertThatThrownBy(() -> ServiceProcess.start(
                        folder,
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/optimizer",
                        "spring.datasource.hikari.connection-timeout=250"))
                .hasMessageContaining("The database jdbc:postgresql://127.0.0.1:1/optimizer cannot be reached: ")
                .hasMessageContaining("SPRING_DATASOURCE_URL");
    }
}
