package io.throughputoptimizer.job;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// Distinguishes failures of the database, which neither caller nor programmer caused, from wrong statements.
public final class DatabaseFailure {
    /// Classes of SQLState: connection, transaction state (read only after a failover), authorization, database
    /// name, rollback, resources, object state (locked), operator, system, and internal errors (H2,
    /// PostgreSQL).
    private static final Set<String> CLASSES = Set.of("08", "25", "28", "3D", "40", "53", "55", "57", "58", "HY", "XX");

    private static final int CLASS_LENGTH = 2;

    /// H2 error codes that neither the exception type nor the SQLState reveals: object closed, input and output
    /// (two), trace file, file creation, read only, file not found.
    private static final Set<Integer> H2_CODES = Set.of(90007, 90028, 90031, 90034, 90062, 90097, 90124);

    /// H2 error codes after it closed its file or cannot continue with it: general error, input and output
    /// (two), database closed, database closed at shutdown.
    private static final Set<Integer> H2_CODES_OF_THE_END = Set.of(50000, 90028, 90031, 90098, 90121);

    /// Maximum length of a cause chain, since causes of H2 can be cyclic.
    private static final int MOST_CAUSES = 100;

    private DatabaseFailure() {}

    /// Returns a failure and its chain of causes.
    public static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES);
    }

    /// Returns whether a failure comes from the database.
    public static boolean isIn(Throwable failure) {
        return causes(failure).anyMatch(cause -> cause instanceof SQLException sql && isOne(sql));
    }

    /// Returns whether an exception is a database failure. Exceptions of the connection pool have no SQLState.
    private static boolean isOne(SQLException failure) {
        String state = failure.getSQLState();
        return failure instanceof SQLNonTransientConnectionException
                || failure instanceof SQLTransientException
                || failure instanceof SQLRecoverableException
                || state == null
                || (state.length() > CLASS_LENGTH && CLASSES.contains(state.substring(0, CLASS_LENGTH)))
                || H2_CODES.contains(failure.getErrorCode());
    }

    /// Returns whether an embedded database has closed its file and must be reopened.
    public static boolean isEndOfEmbedded(SQLException failure) {
        return H2_CODES_OF_THE_END.contains(failure.getErrorCode());
    }
}
