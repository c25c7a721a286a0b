package io.throughputoptimizer.api.problem;

import java.time.Duration;

/// Values of the `Retry-After` header (RFC 9110, 10.2.3).
public final class RetryAfter {
    private static final long ALMOST_A_SECOND = 999_999_999;

    private RetryAfter() {}

    /// Whole seconds, not fewer than there are to wait, and one at least.
    public static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusNanos(ALMOST_A_SECOND).toSeconds()));
    }
}
