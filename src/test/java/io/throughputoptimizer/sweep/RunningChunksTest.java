package io.throughputoptimizer.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.sweep.SweepProgress;
import io.throughputoptimizer.sweep.CellMonitor.StopReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RunningChunksTest {
    private static final UUID FIRST = new UUID(0, 1);
    private static final UUID SECOND = new UUID(0, 2);

    private final List<UUID> going = new ArrayList<>(List.of(FIRST, SECOND));
    private Runnable meanwhile = () -> {};
    private final RunningChunks chunks = new RunningChunks(
            asked -> {
                meanwhile.run();
                return asked.stream().map(this::standing).toList();
            },
            Duration.ofHours(1));

    @Test
    void whatRunsOfAnEndedSweepIsStopped() {
        RunningChunks.Running ended = chunks.add(new SweepPart(FIRST, 0));
        RunningChunks.Running other = chunks.add(new SweepPart(SECOND, 0));
        going.remove(FIRST);

        chunks.synchronize();

        assertThat(ended.monitor().stopReason()).isEqualTo(StopReason.ENDED);
        assertThat(other.monitor().stopReason()).isNull();
    }

    /// It would be taken for one of a sweep that is gone, and its rows would be missing for ever.
    @Test
    void whatBeginsWhileTheDatabaseIsAskedRunsOn() {
        chunks.add(new SweepPart(FIRST, 0));
        List<RunningChunks.Running> begun = new ArrayList<>();
        meanwhile = () -> begun.add(chunks.add(new SweepPart(SECOND, 0)));

        chunks.synchronize();

        assertThat(begun)
                .singleElement()
                .satisfies(one -> assertThat(one.monitor().stopReason()).isNull());
    }

    @Test
    void whatComesAfterTheCloseGoesBack() {
        chunks.close();
        assertThat(chunks.add(new SweepPart(FIRST, 0)).monitor().stopReason()).isEqualTo(StopReason.HANDED_BACK);

        chunks.open();
        RunningChunks.Running running = chunks.add(new SweepPart(FIRST, 1));
        assertThat(running.monitor().stopReason()).isNull();
        chunks.handBack();
        assertThat(running.monitor().stopReason()).isEqualTo(StopReason.HANDED_BACK);
    }

    private Sweep.Standing standing(UUID id) {
        return new Sweep.Standing(
                id,
                going.contains(id) ? JobStatus.RUNNING : JobStatus.CANCELLED,
                new SweepProgress(1, 1, 0, 0, 0, 0, 0));
    }
}
