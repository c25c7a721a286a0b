package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.transaction.TransactionSystemException;

class DatabaseFailureTest {

    /// Connection lost, read only after a failover, password changed, database dropped, deadlock, disk full, locked,
    /// shut down, input and output, engine's own error, no state at all.
    @ParameterizedTest
    @ValueSource(
            strings = {"08006", "25006", "28P01", "3D000", "40P01", "53100", "55P03", "57P01", "58030", "XX001", ""})
    void whateverWrapsThemFailuresOfTheDatabaseAreKnown(String state) {
        SQLException failure = new SQLException("away", state.isEmpty() ? null : state);

        assertThat(DatabaseFailure.isIn(failure)).isTrue();
        assertThat(DatabaseFailure.isIn(new TransactionSystemException("rollback failed", failure)))
                .isTrue();
        assertThat(DatabaseFailure.isIn(new IllegalStateException(new IllegalStateException(failure))))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {90007, 90028, 90031, 90097})
    void h2SaysByItsCodeThatItsFileIsAway(int code) {
        assertThat(DatabaseFailure.isIn(new SQLException("away", Integer.toString(code), code)))
                .isTrue();
    }

    @Test
    void aPoolWithoutConnectionsIsAFailureOfTheDatabase() {
        assertThat(DatabaseFailure.isIn(new SQLTransientConnectionException("timed out")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"22001", "23505", "42601", "42P01"})
    void aWrongStatementIsNoFailureOfTheDatabase(String state) {
        SQLException failure = new SQLException("wrong", state);

        assertThat(DatabaseFailure.isIn(new BadSqlGrammarException("task", "sql", failure)))
                .isFalse();
    }

    @Test
    void whatHasNothingToDoWithTheDatabaseIsNoFailureOfIt() {
        assertThat(DatabaseFailure.isIn(new IllegalStateException("a bug"))).isFalse();
    }
}
