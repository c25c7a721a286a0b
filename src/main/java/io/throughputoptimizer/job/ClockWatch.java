package io.throughputoptimizer.job;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/// Detects that the clock was set back, by comparison with elapsed time. Not thread-safe.
final class ClockWatch {
    /// Maximum harmless step, within the corrections of a running clock.
    private static final Duration HARMLESS = Duration.ofSeconds(5);

    private final Clock clock;
    private Instant lastSeen;
    private long lastNanos = System.nanoTime();

    ClockWatch(Clock clock) {
        this.clock = clock;
        this.lastSeen = clock.instant();
    }

    /// Returns how far the clock was set back since the last call; zero for a harmless step.
    Duration look() {
        Instant now = clock.instant();
        long nanos = System.nanoTime();
        Duration back = Duration.ofNanos(nanos - lastNanos).minus(Duration.between(lastSeen, now));
        lastSeen = now;
        lastNanos = nanos;
        return back.compareTo(HARMLESS) > 0 ? back : Duration.ZERO;
    }
}
