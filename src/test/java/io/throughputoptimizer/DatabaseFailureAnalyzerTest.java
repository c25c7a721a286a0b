package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.throughputoptimizer.fixture.TestDatabase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Random;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.env.MockEnvironment;

/// Databases that are broken in one way each say which way, and never blame the password for it.
class DatabaseFailureAnalyzerTest {
    private static final long SEED = 20_261_122;

    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void makeADatabase() {
        file = folder.resolve("jobs.mv.db");
        try (HikariDataSource database = TestDatabase.connect(url())) {
            TestDatabase.H2.migration(database, "latest").migrate();
        }
    }

    @Test
    void aHeaderOverwrittenIsACorruptedFile() throws IOException {
        byte[] noise = new byte[8192];
        new Random(SEED).nextBytes(noise);
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
            open.write(ByteBuffer.wrap(noise));
        }

        assertThatItIsCorrupted();
    }

    @Test
    void aFileCutShortIsACorruptedFile() throws IOException {
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
            open.truncate(5000);
        }

        assertThatItIsCorrupted();
    }

    @Test
    void aFileOfSomethingElseIsACorruptedFile() throws IOException {
        Files.writeString(file, "hello");

        assertThatItIsCorrupted();
    }

    @Test
    void aDirectoryInPlaceOfTheFileIsNotWritable() throws IOException {
        Files.delete(file);
        Files.createDirectory(file);

        assertThatItIsNotWritable("directory");
    }

    @Test
    void aFileInPlaceOfTheFolderIsNotWritable() throws IOException {
        Path occupied = Files.createFile(folder.resolve("occupied"));
        file = occupied.resolve("jobs.mv.db");

        assertThatItIsNotWritable("occupied");
    }

    @Test
    void aDatabaseThatCanOnlyBeReadIsNotWritable() {
        try (HikariDataSource readOnly = TestDatabase.connect(url() + ";ACCESS_MODE_DATA=r")) {
            Throwable failure = catchThrowable(() ->
                    JdbcClient.create(readOnly).sql("DELETE FROM job_admission").update());

            assertThat(analysis(failure).getDescription()).contains("cannot be read and written", "read only");
        }
    }

    @Test
    void onlyARefusedPasswordIsBlamed() {
        FailureAnalysis analysis = analysis(opening(new SQLException("password authentication failed", "28P01")));

        assertThat(analysis.getDescription())
                .contains("refuses the service: password authentication failed")
                .doesNotContain("secret");
        assertThat(analysis.getAction()).contains("SPRING_DATASOURCE_USERNAME, _PASSWORD");
        assertThat(analysis(opening(new SQLException("refused", "08001"))).getAction())
                .contains("SPRING_DATASOURCE_URL")
                .doesNotContain("PASSWORD");
    }

    @Test
    void tablesOfAnotherVersionSaySo() {
        assertThat(analysis(new FlywayException("Migration checksum mismatch")).getDescription())
                .contains("do not suit this version of the service: Migration checksum mismatch");
    }

    @Test
    void whatIsNotTheDatabasesIsLeftToOthers() {
        assertThat(analyzer().analyze(new BeanCreationException("no such bean")))
                .isNull();
    }

    private void assertThatItIsCorrupted() {
        FailureAnalysis analysis = analysis(openingFails());

        assertThat(analysis.getDescription()).contains(url(), "is corrupted or of another version: ");
        assertThat(analysis.getAction()).contains("Move the file (.mv.db) away").doesNotContain("PASSWORD");
    }

    private void assertThatItIsNotWritable(String reason) {
        FailureAnalysis analysis = analysis(openingFails());

        assertThat(analysis.getDescription()).contains(url(), "cannot be read and written: ", reason);
        assertThat(analysis.getAction()).contains("OPTIMIZER_STORAGE_FOLDER").doesNotContain("PASSWORD");
    }

    private Throwable openingFails() {
        try (HikariDataSource database = TestDatabase.connect(url())) {
            return opening(catchThrowable(database::getConnection));
        }
    }

    private static Throwable opening(Throwable failure) {
        return new BeanCreationException(
                "flyway", "cannot be made", new CannotGetJdbcConnectionException("no connection", asSql(failure)));
    }

    private static SQLException asSql(Throwable failure) {
        return failure instanceof SQLException sql ? sql : new SQLException(failure);
    }

    private FailureAnalysis analysis(Throwable failure) {
        return Objects.requireNonNull(analyzer().analyze(failure));
    }

    private DatabaseFailureAnalyzer analyzer() {
        return new DatabaseFailureAnalyzer(
                new MockEnvironment().withProperty("spring.datasource.url", url() + ";PASSWORD=secret"));
    }

    private String url() {
        return "jdbc:h2:file:" + file.toString().replace(".mv.db", "");
    }
}
