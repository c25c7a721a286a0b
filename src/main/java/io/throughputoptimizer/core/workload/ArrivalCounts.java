package io.throughputoptimizer.core.workload;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/// When requests came, counted in any order. Takes as much memory as the time between the first and the last has
/// windows, up to a bound, however many requests there are. Used by one thread.
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
    /// @param millis on any clock
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

    /// In ms; there must be a request.
    public long first() {
        return first;
    }

    /// From the first to the last, in seconds.
    public double span() {
        return (double) (last - first) / SECOND;
    }

    /// Requests after the first by the time that they took to come, per second; absent if all came at once.
    public OptionalDouble rate() {
        return last > first ? OptionalDouble.of((requests - 1) / span()) : OptionalDouble.empty();
    }

    /// Variance over mean of the requests a second, of those seconds of the clock that are whole between the first
    /// request and the last: 1 if they come independently of each other, more if they come in bursts. Absent with
    /// fewer than two such seconds, with more than 700,000, or if no request came in them.
    public OptionalDouble dispersionOfSeconds() {
        return seconds.dispersion();
    }

    /// The same of minutes, of which there may be 262,144.
    public OptionalDouble dispersionOfMinutes() {
        return minutes.dispersion();
    }

    /// Requests of each hour of the clock, from that of the first request to that of the last; empty if there are too
    /// many minutes.
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

    /// Of the minute of the clock in which most came; 0 if there are too many minutes.
    public long busiestMinute() {
        return minutes.isTooLong()
                ? 0
                : LongStream.rangeClosed(minutes.from, minutes.to)
                        .map(minutes::of)
                        .max()
                        .orElse(0);
    }

    /// Requests in each window of a clock, as long as there are not too many windows.
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

        /// Room on both sides, so that times in any order seldom ask for more.
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
