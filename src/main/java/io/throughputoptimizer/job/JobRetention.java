package io.throughputoptimizer.job;

import java.sql.Types;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Deletes expired records periodically on a dedicated thread; in the queue it would wait behind jobs. Runs on
/// every replica; the choice depends only on the database, so concurrent runs do not delete too much. Not
/// thread-safe.
public final class JobRetention implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(JobRetention.class);

    private static final int AT_ONCE = 100;

    private final Map<Kept, Limits> kept;
    private final Clock clock;

    /// Null while the service is stopped.
    private @Nullable ScheduledExecutorService thread;

    public JobRetention(Map<Kept, Limits> kept, Clock clock) {
        this.kept = Map.copyOf(kept);
        this.clock = clock;
    }

    /// @param count number of finished records to keep
    /// @param age retention time of finished records
    /// @param interval interval between deletions
    public record Limits(int count, Duration age, Duration interval) {
        private static final Duration INTERVAL = Duration.ofMinutes(1);

        /// Creates limits with a deletion every minute.
        public Limits(int count, Duration age) {
            this(count, age, INTERVAL);
        }
    }

    /// Records with a retention period, in a table with columns `id`, `owner` and `sharer`.
    ///
    /// @param words name of the records for the log
    /// @param finishedAt column of the time at which the period begins; null before
    /// @param starred condition of records that have no period
    public record Kept(JdbcClient jdbc, String words, String table, String finishedAt, String starred) {
        /// Deletes unstarred records that finished before a time.
        ///
        /// @return number of deleted records
        public int removeBefore(Instant time) {
            return sql("DELETE FROM %1$s WHERE %2$s < :at AND NOT %3$s")
                    .param("at", JobColumns.time(time), Types.TIMESTAMP_WITH_TIMEZONE)
                    .update();
        }

        /// Deletes the oldest records beyond a limit, from the callers who have the most. Starred records of a
        /// caller rank before its others.
        ///
        /// @return number of deleted records
        public int removeBeyond(int most) {
            int finished = sql("SELECT COUNT(*) FROM %1$s WHERE %2$s IS NOT NULL")
                    .query(Integer.class)
                    .single();
            return finished <= most ? 0 : removeBeyond(most, false) + removeBeyond(most, true);
        }

        /// Deletes records beyond a limit in batches. A combined statement would make H2 repeat the selection
        /// for each row when others change the table, which delays jobs by a minute for a thousand rows. The
        /// condition on the star protects records that are starred meanwhile.
        private int removeBeyond(int most, boolean isStarred) {
            List<UUID> ids = sql("""
                            SELECT id FROM (
                                SELECT id, star, ROW_NUMBER() OVER (ORDER BY turn, id DESC) AS place FROM (
                                    SELECT id, %3$s AS star, ROW_NUMBER()
                                        OVER (PARTITION BY %4$s ORDER BY %3$s DESC, id DESC) AS turn
                                    FROM %1$s WHERE %2$s IS NOT NULL
                                ) turns
                            ) places WHERE place > :kept AND star = :starred""")
                    .param("kept", most)
                    .param("starred", isStarred)
                    .query((row, _) -> Objects.requireNonNull(row.getObject(1, UUID.class)))
                    .list();
            int removed = 0;
            for (int from = 0; from < ids.size(); from += AT_ONCE) {
                removed += sql("DELETE FROM %1$s WHERE id IN (:ids) AND %3$s = :starred")
                        .param("ids", ids.subList(from, Math.min(ids.size(), from + AT_ONCE)))
                        .param("starred", isStarred)
                        .update();
            }
            return removed;
        }

        private JdbcClient.StatementSpec sql(String statement) {
            return jdbc.sql(statement.formatted(table, finishedAt, starred, JobColumns.CALLER));
        }
    }

    /// Starts immediately.
    @Override
    public void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("retention").factory());
        kept.forEach((records, limits) -> {
            long millis = limits.interval.toMillis();
            ScheduledFuture<?> _ =
                    started.scheduleWithFixedDelay(() -> round(records, limits), 0, millis, TimeUnit.MILLISECONDS);
        });
        thread = started;
    }

    @Override
    public void stop() {
        ScheduledExecutorService started = thread;
        thread = null;
        if (started != null) {
            started.shutdown();
        }
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }

    private void round(Kept records, Limits limits) {
        try {
            int old = records.removeBefore(clock.instant().minus(limits.age));
            int beyond = records.removeBeyond(limits.count);
            if (old + beyond > 0) {
                log.info("forgot {} {} for their age and {} for their number", old, records.words, beyond);
            }
        } catch (RuntimeException | Error e) { // One that got out would end the rounds.
            log.warn("cannot forget {}; trying again", records.words, e);
        }
    }
}
