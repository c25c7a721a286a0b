package io.throughputoptimizer.job;

import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Removes rows that are chosen before, some at a time. H2 would choose again for each row in a statement that does
/// both, as soon as others change the table meanwhile: jobs that end would wait for a minute behind a thousand rows.
public final class ChosenRows {
    private static final int AT_ONCE = 100;

    private ChosenRows() {}

    /// @param choice of the ids, in its first column
    /// @param removal of those among `:ids`
    /// @return how many are gone
    public static int remove(JdbcClient.StatementSpec choice, JdbcClient.StatementSpec removal) {
        List<UUID> ids = choice.query((row, _) -> row.getObject(1, UUID.class)).list();
        int removed = 0;
        for (int from = 0; from < ids.size(); from += AT_ONCE) {
            removed += removal.param("ids", ids.subList(from, Math.min(ids.size(), from + AT_ONCE)))
                    .update();
        }
        return removed;
    }
}
