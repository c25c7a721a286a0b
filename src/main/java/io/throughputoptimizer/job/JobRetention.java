package io.throughputoptimizer.job;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Deletes expired jobs periodically on a dedicated thread; in the queue it would wait behind jobs. Runs on
/// every replica; the choice depends only on the database, so concurrent runs do not delete too much. Not
/// thread-safe.
public final class JobRetention {
    private static final Logger log = LoggerFactory.getLogger(JobRetention.class);

    private static final int AT_ONCE = 100;

    private final Kept kept;
    private final JobSettings.Retention settings;
    private final Clock clock;

    /// Null while the service is stopped.
    private @Nullable ScheduledExecutorService thread;

    /// Records with a retention period.
    public interface Kept {
        /// Returns the name of the records for the log.
        String words();

        /// Deletes unstarred records that finished before a time.
        ///
        /// @return number of deleted records
        int removeBefore(Instant time);

        /// Deletes the oldest records beyond a limit, from the callers who have the most.
        ///
        /// @return number of deleted records
        int removeBeyond(int most);
    }

    public JobRetention(Kept kept, JobSettings.Retention settings, Clock clock) {
        this.kept = kept;
        this.settings = settings;
        this.clock = clock;
    }

    /// Returns a query for the ids of rows beyond `:kept`, to which conditions can be appended. The newest row
    /// of each caller ranks first, then the second newest of each, and so on.
    ///
    /// @param columns columns for conditions, id included
    /// @param order order of a caller's rows, first to keep first
    /// @param rows table, with a condition if only a part of it counts
    public static String choice(String columns, String order, String rows) {
        return """
                SELECT id FROM (
                    SELECT %1$s, ROW_NUMBER() OVER (ORDER BY turn, id DESC) AS place FROM (
                        SELECT %1$s, ROW_NUMBER() OVER (PARTITION BY %2$s ORDER BY %3$s) AS turn FROM %4$s
                    ) turns
                ) places WHERE place > :kept""".formatted(columns, JobRow.CALLER, order, rows);
    }

    /// Deletes selected rows in batches. A combined statement would make H2 repeat the selection for each row
    /// when others change the table, which delays jobs by a minute for a thousand rows.
    ///
    /// @param choice query with the ids in the first column
    /// @param removal statement that deletes `:ids`
    /// @return number of deleted rows
    public static int removeChosen(JdbcClient.StatementSpec choice, JdbcClient.StatementSpec removal) {
        List<UUID> ids = choice.query((row, _) -> row.getObject(1, UUID.class)).list();
        int removed = 0;
        for (int from = 0; from < ids.size(); from += AT_ONCE) {
            removed += removal.param("ids", ids.subList(from, Math.min(ids.size(), from + AT_ONCE)))
                    .update();
        }
        return removed;
    }

    /// Starts immediately.
    public void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("retention").factory());
        long millis = settings.interval().toMillis();
        ScheduledFuture<?> _ = started.scheduleWithFixedDelay(this::round, 0, millis, TimeUnit.MILLISECONDS);
        thread = started;
    }

    public void stop() {
        ScheduledExecutorService started = thread;
        thread = null;
        if (started != null) {
            started.shutdown();
        }
    }

    private void round() {
        try {
            forget();
        } catch (RuntimeException | Error e) { // One that got out would end the rounds.
            log.warn("cannot forget {}; trying again", kept.words(), e);
        }
    }

    private void forget() {
        int old = kept.removeBefore(clock.instant().minus(settings.age()));
        int beyond = kept.removeBeyond(settings.count());
        if (old + beyond > 0) {
            log.info("forgot {} {} for their age and {} for their number", old, kept.words(), beyond);
        }
    }
}
