package io.throughputoptimizer.job;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/// Notices that the clock was set back, by the time that has passed meanwhile. For one thread.
final class ClockWatch {
    /// So much less does no harm, and is what corrections of a running clock may come to.
    private static final Duration HARMLESS = Duration.ofSeconds(5);

    private final Clock clock;
    private Instant lastSeen;
    private long lastNanos = System.nanoTime();

    ClockWatch(Clock clock) {
        this.clock = clock;
        this.lastSeen = clock.instant();
    }

    /// By how much it was set back since the last look; zero if by no more than does no harm.
    Duration look() {
        Instant now = clock.instant();
        long nanos = System.nanoTime();
        Duration back = Duration.ofNanos(nanos - lastNanos).minus(Duration.between(lastSeen, now));
        lastSeen = now;
        lastNanos = nanos;
        return back.compareTo(HARMLESS) > 0 ? back : Duration.ZERO;
    }
}
