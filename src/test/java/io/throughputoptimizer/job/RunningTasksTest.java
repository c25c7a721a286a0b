package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RunningTasksTest {
    private static final UUID FIRST = new UUID(0, 1);
    private static final UUID SECOND = new UUID(0, 2);

    private final RunningTasks tasks = new RunningTasks();

    @Test
    void aJobIsStoppedWithAllItsTasksAndNoOther() {
        RunningTask chunk = task(FIRST + ":00000000");
        RunningTask next = task(FIRST + ":00000001");
        RunningTask other = task(SECOND + ":00000000");

        tasks.stop(FIRST, StopReason.CANCELLED);

        assertThat(chunk.monitor().stopReason()).contains(StopReason.CANCELLED);
        assertThat(next.monitor().stopReason()).contains(StopReason.CANCELLED);
        assertThat(other.monitor().stopReason()).isEmpty();
    }

    @Test
    void aTaskThatStartsAgainStopsItsEarlierStart() {
        RunningTask earlier = task(FIRST.toString());
        RunningTask later = task(FIRST.toString());

        assertThat(earlier.monitor().stopReason()).contains(StopReason.LOST);
        tasks.remove(earlier);
        assertThat(tasks.all()).containsExactly(later);
    }

    @Test
    void aTaskThatStartsAfterTheCloseReturnsToTheQueue() {
        tasks.close();
        assertThat(task(FIRST.toString()).monitor().stopReason()).contains(StopReason.HANDED_BACK);

        tasks.open();
        RunningTask running = task(SECOND.toString());
        assertThat(running.monitor().stopReason()).isEmpty();
        tasks.handBack();
        assertThat(running.monitor().stopReason()).contains(StopReason.HANDED_BACK);
    }

    private RunningTask task(String entry) {
        RunningTask task = new RunningTask(entry, 1, Instant.EPOCH, new ProgressMonitor());
        tasks.add(task);
        return task;
    }
}
