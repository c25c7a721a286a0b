package io.throughputoptimizer.core.workload;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/// Counts of request arrivals by second and by minute, added in any order. Memory grows with the time between
/// the first and the last arrival up to a bound, not with the number of requests. Used by one thread.
public final class ArrivalCounts {
    private static final int SECOND = 1_000;
    private static final int MINUTE = 60 * SECOND;
    private static final int MOST_SECONDS = 700_000;
    private static final int MOST_MINUTES = 262_144;
    private static final int MINUTES_OF_AN_HOUR = 60;

    private final Windows seconds = new Windows(SECOND, MOST_SECONDS);
    private final Windows minutes = new Windows(MINUTE, MOST_MINUTES);
    private long requests;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    /// Counts one request.
    ///
    /// @param millis arrival time on any clock, in ms
    public void add(long millis) {
        requests++;
        first = Math.min(first, millis);
        last = Math.max(last, millis);
        seconds.add(millis);
        minutes.add(millis);
    }

    public long requests() {
        return requests;
    }

    /// Returns the earliest arrival, in ms; requires at least one request.
    public long first() {
        return first;
    }

    /// Returns the time from the first to the last arrival, in seconds.
    public double span() {
        return (double) (last - first) / SECOND;
    }

    /// Returns the arrivals after the first per second of the span; empty if all requests arrived at the same
    /// time.
    public OptionalDouble rate() {
        return last > first ? OptionalDouble.of((requests - 1) / span()) : OptionalDouble.empty();
    }

    /// Returns variance over mean of the requests per second, over the whole clock seconds between the first
    /// and the last request: 1 for independent (Poisson) arrivals, more for bursts. Empty with fewer than two
    /// such seconds, with more than 700,000, or if no request arrived in them.
    public OptionalDouble dispersionOfSeconds() {
        return seconds.dispersion();
    }

    /// Returns variance over mean of the requests per minute, like [#dispersionOfSeconds()]; empty beyond
    /// 262,144 minutes.
    public OptionalDouble dispersionOfMinutes() {
        return minutes.dispersion();
    }

    /// Returns the requests of each clock hour from the first request to the last; empty if there are too many
    /// minutes.
    public long[] hours() {
        if (minutes.isTooLong()) {
            return new long[0];
        }
        long from = Math.floorDiv(minutes.from, (long) MINUTES_OF_AN_HOUR);
        long[] hours = new long[(int) (Math.floorDiv(minutes.to, (long) MINUTES_OF_AN_HOUR) - from) + 1];
        for (long minute = minutes.from; minute <= minutes.to; minute++) {
            hours[(int) (Math.floorDiv(minute, (long) MINUTES_OF_AN_HOUR) - from)] += minutes.of(minute);
        }
        return hours;
    }

    /// Returns the most requests in any clock minute; 0 if there are too many minutes.
    public long busiestMinute() {
        return minutes.isTooLong()
                ? 0
                : LongStream.rangeClosed(minutes.from, minutes.to)
                        .map(minutes::of)
                        .max()
                        .orElse(0);
    }

    /// Requests per clock window of one width; drops all counts if there are too many windows.
    private static final class Windows {
        private final int width;
        private final int most;
        private int[] counts = {};
        private long base;
        private long from = Long.MAX_VALUE;
        private long to = Long.MIN_VALUE;

        private Windows(int width, int most) {
            this.width = width;
            this.most = most;
        }

        private void add(long millis) {
            if (isTooLong()) {
                return;
            }
            long window = Math.floorDiv(millis, (long) width);
            from = Math.min(from, window);
            to = Math.max(to, window);
            if (isTooLong()) {
                counts = new int[0];
                return;
            }
            if (window < base || window >= base + counts.length) {
                makeRoom();
            }
            counts[(int) (window - base)]++;
        }

        /// Reserves space on both sides, so that arrivals in any order seldom grow the array.
        private void makeRoom() {
            int span = (int) (to - from + 1);
            int[] roomier = new int[2 * span + 64];
            long newBase = from - span / 2 - 32;
            if (counts.length > 0) {
                long begin = Math.max(base, newBase);
                long end = Math.min(base + counts.length, newBase + roomier.length);
                System.arraycopy(counts, (int) (begin - base), roomier, (int) (begin - newBase), (int) (end - begin));
            }
            counts = roomier;
            base = newBase;
        }

        private boolean isTooLong() {
            return to >= from && to - from >= most;
        }

        private long of(long window) {
            return counts[(int) (window - base)];
        }

        private OptionalDouble dispersion() {
            if (isTooLong() || to - from < 3) {
                return OptionalDouble.empty();
            }
            int[] whole = Arrays.copyOfRange(counts, (int) (from + 1 - base), (int) (to - base));
            double mean = Arrays.stream(whole).average().orElse(0);
            double variance = Arrays.stream(whole)
                    .mapToDouble(count -> (count - mean) * (count - mean))
                    .average()
                    .orElse(0);
            return mean > 0 ? OptionalDouble.of(variance / mean) : OptionalDouble.empty();
        }
    }
}
