package io.throughputoptimizer.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.sweep.SweepCellResponse;
import io.throughputoptimizer.api.sweep.SweepRequest.SubmittedSweep;
import io.throughputoptimizer.api.sweep.SweepResponse.SweepProgress;
import io.throughputoptimizer.fixture.ManualClock;
import io.throughputoptimizer.fixture.TestDatabase;
import io.throughputoptimizer.job.JobIds;
import io.throughputoptimizer.job.Origin;
import io.throughputoptimizer.quota.CallerId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Which sweeps are forgotten, in both databases.
class SweepRetentionIT {
    private final ManualClock clock = new ManualClock();
    private final JobIds ids = new JobIds(clock);
    private @Nullable HikariDataSource database;

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    private JdbcClient open(TestDatabase kind) {
        HikariDataSource opened = kind.newMigrated();
        database = opened;
        return JdbcClient.create(opened);
    }

    private UUID add(SweepStore store, String owner) {
        clock.advance(Duration.ofHours(1));
        UUID id = ids.next();
        store.add(
                new Sweep(
                        new Sweep.Standing(id, JobStatus.QUEUED, new SweepProgress(1, 1, 0, 0, 0, 0, 0)),
                        null,
                        clock.instant(),
                        null,
                        null,
                        1,
                        new Origin(owner, null, CallerId.ofOwner(owner)),
                        null),
                SubmittedSweep.stored("{}"));
        return id;
    }

    private UUID finish(SweepStore store, String owner) {
        UUID id = add(store, owner);
        assertThat(store.finish(
                        id, 0, List.of(SweepCellResponse.nothing(0, Map.of(), null, "no room")), clock.instant()))
                .isTrue();
        return id;
    }

    private static List<UUID> left(JdbcClient jdbc) {
        return jdbc.sql("SELECT id FROM sweep ORDER BY id DESC")
                .query(UUID.class)
                .list();
    }

    private static List<UUID> rowsOf(JdbcClient jdbc) {
        return jdbc.sql("SELECT sweep_id FROM sweep_chunk ORDER BY sweep_id DESC")
                .query(UUID.class)
                .list();
    }

    /// A caller with few sweeps keeps them although another has many. Running sweeps are never forgotten, and rows go
    /// with their sweep.
    @ParameterizedTest
    @EnumSource
    void theOldestOfThoseWhoHaveTheMostAreForgotten(TestDatabase kind) {
        JdbcClient jdbc = open(kind);
        SweepStore store = new SweepStore(jdbc);
        UUID running = add(store, "key:many");
        List<UUID> few =
                Stream.generate(() -> finish(store, "key:few")).limit(2).toList();
        List<UUID> many =
                Stream.generate(() -> finish(store, "key:many")).limit(6).toList();

        assertThat(store.finished().removeBeyond(8)).isZero();
        assertThat(store.finished().removeBeyond(5)).isEqualTo(3);

        List<UUID> kept = Stream.of(many.subList(3, 6).reversed(), few.reversed())
                .flatMap(List::stream)
                .toList();
        assertThat(rowsOf(jdbc)).isEqualTo(kept);
        assertThat(left(jdbc))
                .isEqualTo(Stream.concat(kept.stream(), Stream.of(running)).toList());
    }

    @ParameterizedTest
    @EnumSource
    void whatFinishedBeforeATimeIsForgotten(TestDatabase kind) {
        JdbcClient jdbc = open(kind);
        SweepStore store = new SweepStore(jdbc);
        UUID running = add(store, "key:many");
        List<UUID> finished =
                Stream.generate(() -> finish(store, "key:many")).limit(3).toList();

        assertThat(store.unfinished(List.of(running, finished.get(2), ids.next())))
                .containsExactly(running);
        assertThat(store.finished().removeBefore(clock.instant())).isEqualTo(2);

        assertThat(rowsOf(jdbc)).containsExactly(finished.get(2));
        assertThat(left(jdbc)).containsExactly(finished.get(2), running);
    }
}
