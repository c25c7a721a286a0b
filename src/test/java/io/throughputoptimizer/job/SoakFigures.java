package io.throughputoptimizer.job;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// Times and answers of [Soak]. Thread-safe.
final class SoakFigures {
    private final ConcurrentMap<String, Queue<Long>> micros = new ConcurrentSkipListMap<>();
    private final ConcurrentMap<Integer, AtomicInteger> statuses = new ConcurrentSkipListMap<>();

    void time(String kind, Duration time) {
        micros.computeIfAbsent(kind, _ -> new ConcurrentLinkedQueue<>()).add(time.toNanos() / 1_000);
    }

    void count(int status) {
        statuses.computeIfAbsent(status, _ -> new AtomicInteger()).incrementAndGet();
    }

    void print() {
        System.out.println("answers by status: " + statuses);
        System.out.println("| ms | count | p50 | p90 | p99 | most |");
        micros.forEach((kind, times) -> {
            long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
            System.out.printf("| %s | %d |", kind, sorted.length);
            IntStream.of(50, 90, 99, 100)
                    .forEach(percent ->
                            System.out.printf(" %.1f |", sorted[(sorted.length * percent + 99) / 100 - 1] / 1e3));
            System.out.println();
        });
    }
}
