package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.ManualClock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobStoreTest {
    private static final int RETAINED = 2;

    private final ManualClock clock = new ManualClock();
    private final JobIds ids = new JobIds(clock);
    private final JobStore store = new JobStore(RETAINED);

    @Test
    void finishedJobsBeyondTheRetentionAreForgottenOldestFirst() {
        List<UUID> added = Stream.generate(this::add).limit(4).toList();
        added.forEach(this::finish);

        assertThat(listed()).containsExactly(added.get(3), added.get(2));
    }

    @Test
    void jobsThatAreNotFinishedAreNeverForgotten() {
        UUID waiting = add();
        Stream.generate(this::add).limit(4).toList().forEach(this::finish);

        assertThat(store.find(waiting)).isPresent();
        assertThat(listed()).hasSize(RETAINED + 1);
    }

    @Test
    void aForgottenJobFreesItsIdempotencyKey() {
        finish(add("key"));
        Stream.generate(this::add).limit(RETAINED).toList().forEach(this::finish);

        assertThat(store.findByKey("key")).isEmpty();
    }

    @Test
    void aKeyFindsItsJob() {
        UUID id = add("key");

        assertThat(store.findByKey("key").map(OptimizationJob::id)).contains(id);
        assertThat(store.findByKey("other")).isEmpty();
    }

    @Test
    void aStepMayLeaveTheJobAsItIs() {
        UUID id = add();

        assertThat(store.advance(id, _ -> Optional.empty())).isEmpty();
        assertThat(store.find(id).map(OptimizationJob::state)).contains(new JobState.Queued());
        assertThat(store.advance(UUID.randomUUID(), Optional::of)).isEmpty();
    }

    @Test
    void pagesHangTogetherWhileJobsComeAndGo() {
        List<UUID> added = Stream.generate(this::add).limit(5).toList();
        JobPage first = store.list(Set.of(), null, 2);
        add();
        store.remove(added.get(3));

        JobPage second = store.list(Set.of(), first.next(), 2);

        assertThat(first.jobs()).extracting(OptimizationJob::id).containsExactly(added.get(4), added.get(3));
        assertThat(second.jobs()).extracting(OptimizationJob::id).containsExactly(added.get(2), added.get(1));
        assertThat(store.list(Set.of(), second.next(), 2).next()).isNull();
    }

    private UUID add() {
        return add(null);
    }

    private UUID add(@Nullable String key) {
        UUID id = ids.next();
        store.add(new OptimizationJob(id, clock.instant(), "{}", key, new JobState.Queued()));
        return id;
    }

    private void finish(UUID id) {
        store.advance(id, _ -> Optional.of(new JobState.Cancelled(null, clock.instant(), JobProgress.NONE)));
    }

    private List<UUID> listed() {
        return store.list(Set.of(), null, 100).jobs().stream()
                .map(OptimizationJob::id)
                .toList();
    }
}
