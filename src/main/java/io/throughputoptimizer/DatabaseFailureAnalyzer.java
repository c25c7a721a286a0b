package io.throughputoptimizer;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

/// Says in words why the service cannot open its database at the start, and what to do.
final class DatabaseFailureAnalyzer extends AbstractFailureAnalyzer<CannotGetJdbcConnectionException> {
    /// H2's code for a file that another process has open.
    private static final int ALREADY_OPEN = 90020;

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, CannotGetJdbcConnectionException failure) {
        return isAlreadyOpen(failure)
                ? new FailureAnalysis(
                        "Another process has the embedded database open, most likely another service that was started"
                                + " in this folder.",
                        "Stop that process, give this one another folder (OPTIMIZER_STORAGE_FOLDER), or let both work"
                                + " on one PostgreSQL (docs/operations.md).",
                        failure)
                : new FailureAnalysis(
                        "The database cannot be reached: "
                                + NestedExceptionUtils.getMostSpecificCause(failure)
                                        .getMessage(),
                        "Check that it runs, and spring.datasource.url, username and password (SPRING_DATASOURCE_URL,"
                                + " _USERNAME, _PASSWORD).",
                        failure);
    }

    private static boolean isAlreadyOpen(@Nullable Throwable failure) {
        return failure != null
                && ((failure instanceof SQLException sql && sql.getErrorCode() == ALREADY_OPEN)
                        || isAlreadyOpen(failure.getCause()));
    }
}
