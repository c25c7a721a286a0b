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

/// Forgets what is not to be kept any longer, again and again, on a thread of its own: in the queue it would
/// wait behind the jobs that wait for a worker. Replicas do so beside each other; what goes depends on the
/// database alone, so that nothing is forgotten for two. Not thread-safe.
public final class JobRetention {
    private static final Logger log = LoggerFactory.getLogger(JobRetention.class);

    private static final int AT_ONCE = 100;

    private final Kept kept;
    private final JobSettings.Retention settings;
    private final Clock clock;

    /// Absent while the service is stopped.
    private @Nullable ScheduledExecutorService thread;

    /// What grows old.
    public interface Kept {
        /// What it is, for the log.
        String words();

        /// Forgets what was finished before a time, and is not marked.
        ///
        /// @return how many
        int removeBefore(Instant time);

        /// Forgets the oldest beyond a number, of those callers who have the most.
        ///
        /// @return how many
        int removeBeyond(int most);
    }

    public JobRetention(Kept kept, JobSettings.Retention settings, Clock clock) {
        this.kept = kept;
        this.settings = settings;
        this.clock = clock;
    }

    /// Ids of rows beyond `:kept`, which more conditions may follow. The newest of each caller has the first
    /// places, the second ones have the next, and so on.
    ///
    /// @param columns that conditions are on, the id among them
    /// @param order of a caller's rows, the first to be kept first
    /// @param rows table, with a condition where not all of it counts
    public static String choice(String columns, String order, String rows) {
        return """
                SELECT id FROM (
                    SELECT %1$s, ROW_NUMBER() OVER (ORDER BY turn, id DESC) AS place FROM (
                        SELECT %1$s, ROW_NUMBER() OVER (PARTITION BY %2$s ORDER BY %3$s) AS turn FROM %4$s
                    ) turns
                ) places WHERE place > :kept""".formatted(columns, JobRow.SHARER, order, rows);
    }

    /// Removes rows that are chosen before, some at a time. In a statement that does both H2 would choose again for
    /// each row, as soon as others change the table: jobs that end would wait for a minute behind a thousand rows.
    ///
    /// @param choice of the ids, in its first column
    /// @param removal of those among `:ids`
    /// @return how many are gone
    public static int removeChosen(JdbcClient.StatementSpec choice, JdbcClient.StatementSpec removal) {
        List<UUID> ids = choice.query((row, _) -> row.getObject(1, UUID.class)).list();
        int removed = 0;
        for (int from = 0; from < ids.size(); from += AT_ONCE) {
            removed += removal.param("ids", ids.subList(from, Math.min(ids.size(), from + AT_ONCE)))
                    .update();
        }
        return removed;
    }

    /// Begins at once.
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
