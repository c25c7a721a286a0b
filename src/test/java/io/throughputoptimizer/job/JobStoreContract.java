package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.ProblemKind;
import io.throughputoptimizer.fixture.ManualClock;
import io.throughputoptimizer.fixture.TestDatabase;
import io.throughputoptimizer.quota.CallerId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What holds on every database.
abstract class JobStoreContract {
    private static final JobProgress PROGRESS = new JobProgress(3, 4, 5_000_000_000L);

    private static final int FIRST = 1;

    private final ManualClock clock = new ManualClock();
    private final JobIds ids = new JobIds(clock);
    private final HikariDataSource database;
    private final JdbcClient jdbc;
    private final JobStore store;
    private final JobTransitions transitions;

    JobStoreContract(TestDatabase kind) {
        database = kind.newMigrated();
        jdbc = JdbcClient.create(database);
        store = new JobStore(jdbc);
        transitions = new JobTransitions(jdbc, new JobMeters(new SimpleMeterRegistry()));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void keepsTheBodyAndTheChoiceOfDefaultsAndListsNoBody() {
        OptimizationJob job = new OptimizationJob(
                ids.next(),
                clock.instant(),
                new JobRequest("{}", null, "{\"as\":\"asked\"}", null, null, true),
                Origin.UNKNOWN,
                new JobState.Queued());
        store.add(job);
        assertThat(store.find(job.id())).contains(job);
        assertThat(store.list(JobStore.Filter.ALL, null, null, 1).entries())
                .singleElement()
                .satisfies(listed -> assertThat(listed.asked()).isNull());
    }

    @Test
    void everyStateIsReadAsItWasWritten() {
        Instant later = clock.instant().plusMillis(1);
        Problem problem = Problem.of(ProblemKind.TIMED_OUT, "Detail").withRetryable(true);
        List<JobState> states = List.of(
                new JobState.Queued(),
                new JobState.Running(clock.instant(), PROGRESS),
                new JobState.Succeeded(clock.instant(), later, PROGRESS, "{\"text\":\"TTFT \u2264 2 s\"}", null),
                new JobState.Failed(null, later, JobProgress.NONE, problem),
                new JobState.Cancelled(clock.instant(), later, PROGRESS));
        for (JobState state : states) {
            OptimizationJob job = job(Origin.UNKNOWN, state);
            store.add(job);

            assertThat(store.find(job.id())).contains(job);
        }
    }

    @Test
    void aResultOfMegabytesSurvives() {
        Random random = new Random(5);
        StringBuilder incompressible = new StringBuilder();
        while (incompressible.length() < 4_000_000) {
            incompressible.append(Long.toHexString(random.nextLong()));
        }
        OptimizationJob job = running();
        transitions.finish(
                job.id(),
                FIRST,
                new JobState.Succeeded(clock.instant(), clock.instant(), PROGRESS, incompressible.toString(), null));

        assertThat(store.find(job.id()).orElseThrow().state().result()).isEqualTo(incompressible.toString());
    }

    @Test
    void namesAndStarsAreKeptBesideAndFound() {
        UUID plain = add();
        UUID named = running().id();
        assertThat(store.label(named, "Chat 50%", null)).isTrue();
        assertThat(store.label(named, null, true)).isTrue();
        assertThat(store.label(UUID.randomUUID(), "b", true)).isFalse();

        assertThat(store.find(named).orElseThrow().label()).isEqualTo(new OptimizationJob.Label("Chat 50%", true));
        assertThat(store.find(plain).orElseThrow().label()).isEqualTo(OptimizationJob.Label.NONE);
        assertThat(found(true)).containsExactly(named);
        assertThat(found(false, "m")).containsExactly(named, plain);
        assertThat(found(false, "50%", "chat")).containsExactly(named);
        assertThat(found(false, "5%")).isEmpty();
        assertThat(store.label(named, "", false)).isTrue();
        assertThat(store.find(named).orElseThrow().label()).isEqualTo(OptimizationJob.Label.NONE);
        assertThat(found(true)).isEmpty();
    }

    private List<UUID> found(boolean starred, String... words) {
        return store.list(new JobStore.Filter(Set.of(), starred, List.of(words)), null, null, 10).entries().stream()
                .map(OptimizationJob::id)
                .toList();
    }

    @Test
    void listsSayWhatWasFound() {
        OptimizationJob job = running();
        JobAnswer answer = new JobAnswer(List.of(new JobAnswer.UsedDevices("A", 2)), null, 3.0, null, null);
        transitions.finish(
                job.id(), FIRST, new JobState.Succeeded(clock.instant(), clock.instant(), PROGRESS, "{}", answer));

        assertThat(store.list(JobStore.Filter.ALL, null, null, 1).entries())
                .singleElement()
                .satisfies(listed -> assertThat(listed.answer()).isEqualTo(answer));
        assertThat(store.find(job.id()).orElseThrow().answer()).isNull();
    }

    /// A request of a megabyte each, which lists have no room for.
    @Test
    void listsHoldNoLongRequests() {
        Random random = new Random(17);
        for (int job = 0; job < 12; job++) {
            String body = random.ints(1_000_000, 'a', 'z' + 1)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            store.add(new OptimizationJob(
                    ids.next(),
                    clock.instant(),
                    JobRequest.stored("{\"model_id\":\"" + job + "\",\"model_config\":{\"x\":\"" + body + "\"}}"),
                    Origin.UNKNOWN,
                    new JobState.Queued()));
        }

        Page<OptimizationJob> page = store.list(JobStore.Filter.ALL, null, null, 10);

        assertThat(page.entries()).hasSize(10).allSatisfy(listed -> {
            assertThat(listed.request().length()).isLessThan(100);
            assertThat(listed.abridged()).containsExactly("model_config");
        });
        assertThat(page.entries().getFirst().request()).isEqualTo("{\"model_id\":\"11\",\"model_config\":{}}");
        assertThat(store.list(JobStore.Filter.ALL, null, page.next(), 10).entries())
                .hasSize(2);
        // As an earlier version stored them.
        jdbc.sql("UPDATE optimization_job SET brief = NULL").update();
        assertThat(store.list(JobStore.Filter.ALL, null, null, 10).entries()).isEqualTo(page.entries());
        assertThat(store.findWithoutResult(page.entries().getFirst().id()).orElseThrow())
                .satisfies(found -> assertThat(found.request()).hasSizeGreaterThan(1_000_000))
                .satisfies(found -> assertThat(found.abridged()).isEmpty());
    }

    @Test
    void aDamagedRowHidesNoOtherAndCanBeRemoved() {
        OptimizationJob damaged = finished();
        OptimizationJob whole = finished();
        jdbc.sql("UPDATE optimization_job SET request = result, result = :bytes WHERE id = :id")
                .param("bytes", new byte[] {0x1f})
                .param("id", damaged.id())
                .update();
        assertThatThrownBy(() -> store.find(damaged.id())).isInstanceOf(StoredTextException.class);
        jdbc.sql("UPDATE optimization_job SET request = result WHERE id = :id")
                .param("id", damaged.id())
                .update();

        assertThat(store.list(JobStore.Filter.ALL, null, null, 10).entries())
                .extracting(OptimizationJob::id)
                .containsExactly(whole.id(), damaged.id());
        assertThat(store.findWithoutResult(damaged.id()).orElseThrow().state())
                .isInstanceOfSatisfying(
                        JobState.Failed.class,
                        failed -> assertThat(failed.problem().kind()).isEqualTo("stored-unreadable"));
        transitions.remove(damaged.id());
        assertThat(store.findWithoutResult(damaged.id())).isEmpty();
    }

    private OptimizationJob finished() {
        OptimizationJob job = running();
        transitions.finish(
                job.id(), FIRST, new JobState.Succeeded(clock.instant(), clock.instant(), PROGRESS, "{}", null));
        return job;
    }

    @Test
    void resultsAreReadOnlyWhereTheyAreAskedFor() {
        OptimizationJob job = running();
        transitions.finish(
                job.id(), FIRST, new JobState.Succeeded(clock.instant(), clock.instant(), PROGRESS, "{}", null));

        assertThat(store.list(JobStore.Filter.ALL, null, null, 10).entries())
                .extracting(listed -> listed.state().result())
                .containsOnlyNulls();
        assertThat(store.findWithoutResult(job.id())).hasValueSatisfying(found -> {
            assertThat(found.state().status()).isEqualTo(JobStatus.SUCCEEDED);
            assertThat(found.state().result()).isNull();
        });
    }

    @Test
    void pagesHangTogetherWhileJobsComeAndGo() {
        List<UUID> added = Stream.generate(this::add).limit(5).toList();
        Page<OptimizationJob> first = store.list(JobStore.Filter.ALL, null, null, 2);
        add();
        transitions.cancelQueued(added.get(3), clock.instant());
        transitions.remove(added.get(3));

        Page<OptimizationJob> second = store.list(JobStore.Filter.ALL, null, first.next(), 2);

        assertThat(first.entries()).extracting(OptimizationJob::id).containsExactly(added.get(4), added.get(3));
        assertThat(second.entries()).extracting(OptimizationJob::id).containsExactly(added.get(2), added.get(1));
        assertThat(store.list(JobStore.Filter.ALL, null, second.next(), 2).next())
                .isNull();
    }

    @Test
    void aKeyFindsItsJobAndIsTakenUntilThatIsForgotten() {
        OptimizationJob job = job("key", new JobState.Queued());
        store.add(job);

        assertThat(store.findByKey(Origin.ofKey("key"))).contains(job);
        assertThat(store.findByKey(Origin.ofKey("other"))).isEmpty();
        assertThatThrownBy(() -> store.add(job("key", new JobState.Queued())))
                .isInstanceOf(DuplicateKeyException.class);

        transitions.cancelQueued(job.id(), clock.instant());
        transitions.remove(job.id());
        assertThat(store.findByKey(Origin.ofKey("key"))).isEmpty();
    }

    @Test
    void eachOwnerHasItsOwnJobsAndKeys() {
        OptimizationJob ann = job(new Origin("key:ann", "key", CallerId.ofOwner("key:ann")), new JobState.Queued());
        OptimizationJob bob = job(new Origin("key:bob", "key", CallerId.ofOwner("key:bob")), new JobState.Queued());
        OptimizationJob nobody = job("key", new JobState.Queued());
        List.of(ann, bob, nobody).forEach(store::add);

        assertThat(store.findByKey(ann.origin())).contains(ann);
        assertThat(store.findByKey(bob.origin())).contains(bob);
        assertThat(store.findByKey(Origin.ofKey("key"))).contains(nobody);
        assertThat(store.list(JobStore.Filter.ALL, "key:ann", null, 10).entries())
                .containsExactly(ann);
        assertThat(store.list(JobStore.Filter.ALL, "key:ann", ann.id(), 10).entries())
                .isEmpty();
        assertThat(store.list(JobStore.Filter.ALL, null, null, 10).entries()).containsExactly(nobody, bob, ann);
        assertThatThrownBy(() -> store.add(
                        job(new Origin("key:ann", "key", CallerId.ofOwner("key:ann")), new JobState.Queued())))
                .isInstanceOf(DuplicateKeyException.class);
    }

    @Test
    void jobsThatAreNotFinishedAreNeverForgotten() {
        UUID waiting = add();
        OptimizationJob running = running();
        transitions.remove(waiting);
        transitions.remove(running.id());
        store.finished().removeBefore(clock.instant().plus(Duration.ofDays(1)));
        store.finished().removeBeyond(0);

        assertThat(store.find(waiting)).isPresent();
        assertThat(store.find(running.id())).isPresent();
    }

    @Test
    void finishedJobsAreForgottenOldestFirstBeyondTheirNumberAndAge() {
        List<UUID> finished = Stream.generate(this::add)
                .limit(5)
                .peek(id -> {
                    clock.advance(Duration.ofHours(1));
                    transitions.cancelQueued(id, clock.instant());
                })
                .toList();

        assertThat(store.finished().removeBeyond(3)).isEqualTo(2);
        assertThat(listed()).isEqualTo(finished.subList(2, 5).reversed());
        assertThat(store.finished().removeBefore(clock.instant())).isEqualTo(2);
        assertThat(listed()).containsExactly(finished.get(4));
    }

    /// More than one statement removes.
    @Test
    void hundredsAreForgottenBeyondTheirNumber() {
        List<UUID> finished = Stream.generate(this::add)
                .limit(250)
                .peek(id -> transitions.cancelQueued(id, clock.instant()))
                .toList();
        store.label(finished.get(120), null, true);

        assertThat(store.finished().removeBeyond(2)).isEqualTo(248);
        assertThat(listed()).containsExactly(finished.get(249), finished.get(120));
    }

    @Test
    void jobsWithAStarAreForgottenLastAndNotForTheirAge() {
        List<UUID> finished = Stream.generate(this::add)
                .limit(4)
                .peek(id -> {
                    clock.advance(Duration.ofHours(1));
                    transitions.cancelQueued(id, clock.instant());
                })
                .toList();
        store.label(finished.get(0), null, true);
        store.label(finished.get(2), null, true);

        assertThat(store.finished().removeBeyond(3)).isEqualTo(1);
        assertThat(listed()).containsExactly(finished.get(3), finished.get(2), finished.get(0));
        clock.advance(Duration.ofDays(1));
        assertThat(store.finished().removeBefore(clock.instant())).isEqualTo(1);
        assertThat(listed()).containsExactly(finished.get(2), finished.get(0));
        assertThat(store.finished().removeBeyond(1)).isEqualTo(1);
        assertThat(listed()).containsExactly(finished.get(2));
    }

    @Test
    void onlyAWaitingOrLostJobCanBeStarted() {
        UUID queued = add();
        assertThat(transitions.start(queued, clock.instant())).isPresent();
        assertThat(transitions.start(queued, clock.instant())).isPresent();

        UUID cancelled = add();
        assertThat(transitions.cancelQueued(cancelled, clock.instant())).isTrue();
        assertThat(transitions.start(cancelled, clock.instant())).isEmpty();
        assertThat(transitions.start(ids.next(), clock.instant())).isEmpty();
    }

    @Test
    void aRunningJobWhoseEndIsAskedForSaysSo() {
        UUID id = running().id();
        assertThat(transitions.running(List.of(id, add())))
                .containsExactly(new JobTransitions.Running(id, FIRST, false));

        assertThat(transitions.cancelQueued(id, clock.instant())).isFalse();
        assertThat(transitions.requestCancel(id)).isTrue();

        assertThat(transitions.running(List.of(id))).containsExactly(new JobTransitions.Running(id, FIRST, true));
        assertThat(transitions.start(id, clock.instant()).orElseThrow().cancelRequested())
                .isTrue();
    }

    @Test
    void aJobThatWaitsAgainWhenItsEndIsAskedForHearsOfItAtItsStart() {
        UUID id = running().id();
        transitions.requeue(id);

        assertThat(transitions.requestCancel(id)).isTrue();

        assertThat(transitions.start(id, clock.instant()).orElseThrow().cancelRequested())
                .isTrue();
    }

    @Test
    void theEndOfAFinishedJobCannotBeAskedFor() {
        UUID id = add();
        transitions.cancelQueued(id, clock.instant());

        assertThat(transitions.requestCancel(id)).isFalse();
    }

    @Test
    void onlyTheNewestStartWrites() {
        UUID id = running().id();
        int second = transitions.start(id, clock.instant()).orElseThrow().attempt();
        JobState stale = new JobState.Succeeded(clock.instant(), clock.instant(), PROGRESS, "{\"stale\":true}", null);
        JobState newest = new JobState.Succeeded(clock.instant(), clock.instant(), PROGRESS, "{}", null);

        transitions.saveProgress(id, FIRST, PROGRESS);
        transitions.finish(id, FIRST, stale);
        assertThat(store.find(id).orElseThrow().state())
                .isEqualTo(new JobState.Running(clock.instant(), JobProgress.NONE));
        transitions.finish(id, second, newest);
        assertThat(store.find(id).orElseThrow().state()).isEqualTo(newest);
    }

    @Test
    void progressIsSavedWhileTheJobRunsOnly() {
        OptimizationJob job = running();
        transitions.saveProgress(job.id(), FIRST, PROGRESS);
        assertThat(store.standings(List.of(job.id(), ids.next())))
                .containsExactly(new OptimizationJob.Standing(job.id(), JobStatus.RUNNING, PROGRESS));

        transitions.requeue(job.id());
        transitions.saveProgress(job.id(), FIRST, JobProgress.NONE);
        assertThat(store.find(job.id()).orElseThrow().state()).isEqualTo(new JobState.Queued());
    }

    @Test
    void recentTimesAreThoseOfTheLatestSuccesses() {
        for (int seconds = 1; seconds <= 3; seconds++) {
            OptimizationJob job = running();
            transitions.finish(
                    job.id(),
                    FIRST,
                    new JobState.Succeeded(
                            clock.instant(), clock.instant().plusSeconds(seconds), JobProgress.NONE, "{}", null));
        }
        running();

        assertThat(store.recentTimes(2)).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(2));
    }

    private OptimizationJob job(@Nullable String key, JobState state) {
        return job(new Origin(null, key, CallerId.ofAddress("192.0.2.1")), state);
    }

    private OptimizationJob job(Origin origin, JobState state) {
        return new OptimizationJob(
                ids.next(), clock.instant(), JobRequest.stored("{\"model_id\":\"m\"}"), origin, state);
    }

    private UUID add() {
        OptimizationJob job = job(Origin.UNKNOWN, new JobState.Queued());
        store.add(job);
        return job.id();
    }

    private OptimizationJob running() {
        OptimizationJob job = job(Origin.UNKNOWN, new JobState.Queued());
        store.add(job);
        transitions.start(job.id(), clock.instant());
        return job;
    }

    private List<UUID> listed() {
        return store.list(JobStore.Filter.ALL, null, null, 100).entries().stream()
                .map(OptimizationJob::id)
                .toList();
    }
}
