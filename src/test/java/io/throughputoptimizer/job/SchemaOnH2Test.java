package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.throughputoptimizer.fixture.TestDatabase;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class SchemaOnH2Test {
    private static final String EVALUATED = """
            SELECT 'check ' || check_clause FROM information_schema.check_constraints WHERE constraint_schema = SCHEMA()
            UNION ALL
            SELECT 'generated column ' || column_name FROM information_schema.columns
                WHERE table_schema = SCHEMA() AND is_generated = 'ALWAYS'
            UNION ALL
            SELECT 'view ' || table_name FROM information_schema.views WHERE table_schema = SCHEMA()
            UNION ALL
            SELECT 'trigger ' || trigger_name FROM information_schema.triggers WHERE trigger_schema = SCHEMA()""";

    /// H2 does so with the session that made them, whose connection the pool closes while the database is in use.
    @Test
    void nothingIsEvaluatedWhenARowIsWritten() {
        assertThat(evaluated("4"))
                .containsExactly("check \"STATUS\" IN('queued', 'running', 'succeeded', 'failed', 'cancelled')");
        assertThat(evaluated("latest")).isEmpty();
    }

    private static List<@Nullable String> evaluated(String version) {
        try (HikariDataSource database = TestDatabase.connect(TestDatabase.H2.newUrl())) {
            TestDatabase.H2.migration(database, version).migrate();
            return JdbcClient.create(database)
                    .sql(EVALUATED)
                    .query(String.class)
                    .list();
        }
    }
}
