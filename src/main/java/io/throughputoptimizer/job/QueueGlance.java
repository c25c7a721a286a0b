package io.throughputoptimizer.job;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A look at the queue that costs one statement for all who look at about the same time, and does not wait long for a
/// database that is away. Thread-safe.
final class QueueGlance {
    private static final Duration FRESH = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final JobStore store;
    private @Nullable CompletableFuture<JobStore.Backlog> query;
    private Optional<JobStore.Backlog> seen = Optional.empty();
    private long seenNanos = System.nanoTime() - FRESH.toNanos();

    QueueGlance(JobStore store) {
        this.store = store;
    }

    /// Empty while the database does not answer.
    synchronized Optional<JobStore.Backlog> look() {
        if (System.nanoTime() - seenNanos >= FRESH.toNanos()) {
            seen = ask();
            seenNanos = System.nanoTime();
        }
        return seen;
    }

    /// One that is still on its way is waited for again, so that a dead database is not asked twice.
    private Optional<JobStore.Backlog> ask() {
        CompletableFuture<JobStore.Backlog> asked = query;
        if (asked == null) {
            asked = CompletableFuture.supplyAsync(
                    store::backlog,
                    task -> Thread.ofVirtual().name("queue-glance").start(task));
            query = asked;
        }
        try {
            JobStore.Backlog backlog = asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            query = null;
            return Optional.of(backlog);
        } catch (ExecutionException _) {
            query = null;
        } catch (TimeoutException _) {
            // It may answer the next time.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }
}
