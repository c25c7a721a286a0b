package io.throughputoptimizer.job;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Part of a list, newest first.
///
/// @param next id at which the next page begins; null on the last page
public record Page<T>(List<T> entries, @Nullable UUID next) {
    public Page {
        entries = List.copyOf(entries);
    }

    /// Returns the cursor of the next page, or null on the last page.
    public @Nullable String cursor() {
        return next == null ? null : next.toString();
    }

    /// A request for a page.
    ///
    /// @param owner owner of the entries; null for all
    /// @param before id below which the page begins; null for the first page
    public record Wanted(@Nullable String owner, @Nullable UUID before, int limit) {}

    /// @param statement up to its conditions, of a table with columns `id` and `owner`: `SELECT ... FROM ... WHERE ...`
    /// @param bounds parameters of those conditions
    /// @param id id of an entry
    public static <T> Page<T> of(
            JdbcClient jdbc,
            String statement,
            Map<String, ?> bounds,
            Wanted wanted,
            RowMapper<T> mapper,
            Function<T, UUID> id) {
        Map<String, Object> all = new HashMap<>(bounds);
        all.put("rows", wanted.limit + 1);
        StringBuilder sql = new StringBuilder(statement);
        if (wanted.owner != null) {
            sql.append(" AND owner = :owner");
            all.put("owner", wanted.owner);
        }
        if (wanted.before != null) {
            sql.append(" AND id < :before");
            all.put("before", wanted.before);
        }
        List<T> found = jdbc.sql(sql.append(" ORDER BY id DESC FETCH FIRST :rows ROWS ONLY")
                        .toString())
                .params(all)
                .query(mapper)
                .list();
        List<T> entries = found.subList(0, Math.min(wanted.limit, found.size()));
        return new Page<>(entries, found.size() > wanted.limit ? id.apply(entries.getLast()) : null);
    }
}
