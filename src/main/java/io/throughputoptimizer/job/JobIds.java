package io.throughputoptimizer.job;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

/// Generates ascending ids: UUIDs of version 7 (RFC 9562) with a counter in the 12 bits after the version.
/// Thread-safe.
public final class JobIds {
    private static final int COUNTER_BITS = 12;
    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    /// Milliseconds since 1970, then the counter. A counter overflow advances the time.
    private long lastTick;

    public JobIds(Clock clock) {
        this.clock = clock;
    }

    public synchronized UUID next() {
        lastTick = Math.max(lastTick + 1, clock.millis() << COUNTER_BITS);
        long counter = lastTick & ((1 << COUNTER_BITS) - 1);
        long high = (lastTick >> COUNTER_BITS) << 16 | VERSION | counter;
        return new UUID(high, VARIANT | random.nextLong() >>> 2);
    }
}
