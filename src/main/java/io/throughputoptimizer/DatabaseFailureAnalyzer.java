package io.throughputoptimizer;

import io.throughputoptimizer.job.DatabaseFailure;
import java.io.EOFException;
import java.io.IOException;
import java.sql.SQLException;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;

/// Says in words why the service cannot work with its database at the start, and what to do.
final class DatabaseFailureAnalyzer implements FailureAnalyzer {
    private static final String AUTHORIZATION = "28";

    /// Begin so in URLs of PostgreSQL and of H2, and may hold a password.
    private static final String PARAMETERS = "[?;]";

    private final String url;

    DatabaseFailureAnalyzer(Environment settings) {
        this.url = settings.getProperty("spring.datasource.url", "").split(PARAMETERS, 2)[0];
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        if (DatabaseFailure.isIn(failure)) {
            return DatabaseFailure.causes(failure)
                    .filter(SQLException.class::isInstance)
                    .map(SQLException.class::cast)
                    .filter(cause -> cause.getSQLState() != null)
                    .findFirst()
                    .map(cause -> analyze(failure, cause))
                    .orElseGet(() -> unreachable(failure));
        }
        return hasCause(failure, FlywayException.class) ? notMigrated(failure) : null;
    }

    /// By H2's codes (PostgreSQL has none), then by the SQLState.
    private FailureAnalysis analyze(Throwable failure, SQLException cause) {
        return switch (cause.getErrorCode()) {
            // Already open.
            case 90020 -> taken(failure);
            // Input and output (two), trace file, file creation, read only, file not found.
            case 90028, 90031, 90034, 90062, 90097, 90124 -> ofFile(failure, true);
            // General error, corrupted, another version or no header, not to be decrypted.
            case 50000, 90030, 90048, 90049 -> ofFile(failure, hasCause(failure, IOException.class));
            default -> cause.getSQLState().startsWith(AUTHORIZATION) ? refused(failure) : unreachable(failure);
        };
    }

    /// A file that ends too early is not a matter of reading it.
    private FailureAnalysis ofFile(Throwable failure, boolean isInputOutput) {
        return isInputOutput && !hasCause(failure, EOFException.class) ? unwritable(failure) : unreadable(failure);
    }

    private static FailureAnalysis taken(Throwable failure) {
        return new FailureAnalysis(
                "Another process has the embedded database open, most likely another service that was started"
                        + " in this folder.",
                "Stop that process, give this one another folder (OPTIMIZER_STORAGE_FOLDER), or let both work"
                        + " on one PostgreSQL (docs/how-to/run-replicas.md).",
                failure);
    }

    private FailureAnalysis unwritable(Throwable failure) {
        return new FailureAnalysis(
                "The embedded database " + url + " cannot be read and written: " + reason(failure),
                "See that its folder and its file (.mv.db) belong to the user of the service, that the file system is"
                        + " neither full nor read only, and that nothing else has the file's name; or give the service"
                        + " another folder (OPTIMIZER_STORAGE_FOLDER).",
                failure);
    }

    private FailureAnalysis unreadable(Throwable failure) {
        return new FailureAnalysis(
                "The file of the embedded database " + url + " is corrupted or of another version: " + reason(failure),
                "Move the file (.mv.db) away and put a copy of it from before in its place. Without a copy its"
                        + " optimizations are lost: the service starts with an empty database once the file is away.",
                failure);
    }

    private FailureAnalysis refused(Throwable failure) {
        return new FailureAnalysis(
                "The database " + url + " refuses the service: " + reason(failure),
                "Check spring.datasource.username and password (SPRING_DATASOURCE_USERNAME, _PASSWORD).",
                failure);
    }

    private FailureAnalysis unreachable(Throwable failure) {
        return new FailureAnalysis(
                "The database " + url + " cannot be reached: " + reason(failure),
                "Check that it runs, and spring.datasource.url (SPRING_DATASOURCE_URL).",
                failure);
    }

    private FailureAnalysis notMigrated(Throwable failure) {
        return new FailureAnalysis(
                "The tables of the database " + url + " do not suit this version of the service: " + reason(failure),
                "Start the version that made them, or a newer one; or restore a copy of the database from before, or"
                        + " give the service an empty database.",
                failure);
    }

    private static String reason(Throwable failure) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(failure);
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }

    private static boolean hasCause(Throwable failure, Class<? extends Throwable> type) {
        return DatabaseFailure.causes(failure).anyMatch(type::isInstance);
    }
}
