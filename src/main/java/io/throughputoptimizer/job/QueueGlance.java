package io.throughputoptimizer.job;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A cached snapshot of the queue: concurrent readers share one statement, with a short timeout if the database
/// is down. Thread-safe.
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

    /// Returns the snapshot, or empty if the database does not respond.
    synchronized Optional<JobStore.Backlog> look() {
        if (System.nanoTime() - seenNanos >= FRESH.toNanos()) {
            seen = ask();
            seenNanos = System.nanoTime();
        }
        return seen;
    }

    /// Queries the database. A pending query is awaited again instead of starting a second one.
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
            // Ignored: retried at the next poll.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }
}
