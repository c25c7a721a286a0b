package io.throughputoptimizer.share;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;

/// Places or bytes shared among callers by dynamic thresholds (Choudhury and Hahne 1998): a caller can take
/// more as long as it then holds at most [#FACTOR] times what is then free. A single caller gets
/// `FACTOR / (1 + FACTOR)` of all, a second one the same fraction of the rest, and so on; nothing is
/// reserved for absent callers.
///
/// A unit is the need of one request: one place, or the bytes of the longest body. Each caller can take up to
/// one unit while any is free; beyond that, one unit must stay free for other callers. So a second caller
/// always finds one if there are two. Thread-safe.
public final class Shares {
    /// Maximum ratio of the amount a caller holds to the free amount.
    public static final int FACTOR = 4;

    private final long all;
    private final long unit;
    private final Map<Sharer, Long> held = new HashMap<>();
    private long free;

    /// @param all total number of places
    public Shares(long all) {
        this(all, 1);
    }

    /// @param all total places or bytes
    /// @param unit maximum need of one request
    public Shares(long all, long unit) {
        if (all < 1 || unit < 1) {
            throw new IllegalArgumentException("all is " + all + " and unit " + unit + ": both must be positive");
        }
        this.all = all;
        this.unit = unit;
        this.free = all;
    }

    /// Returns whether a caller can take more.
    ///
    /// @param held amount held by the caller
    /// @param free free amount
    /// @param more requested amount
    public static boolean allows(long held, long free, long more, long unit) {
        long left = free - more;
        if (left < 0) {
            return false;
        }
        return held + more <= unit || (left >= unit && held + more <= FACTOR * left);
    }

    /// Takes one place.
    ///
    /// @return true if it was taken; false has no effect
    public boolean take(Sharer sharer) {
        return take(sharer, 1);
    }

    /// Takes places or bytes.
    ///
    /// @return true if they were taken; false has no effect
    public synchronized boolean take(Sharer sharer, long more) {
        requirePositive(more);
        long before = held(sharer);
        if (!allows(before, free, more, unit)) {
            return false;
        }
        held.put(sharer, before + more);
        free -= more;
        return true;
    }

    /// Returns one place.
    public void giveBack(Sharer sharer) {
        giveBack(sharer, 1);
    }

    /// Returns places or bytes of a caller.
    public synchronized void giveBack(Sharer sharer, long less) {
        requirePositive(less);
        long left = held(sharer) - less;
        if (left < 0) {
            throw new IllegalStateException("more is given back than was taken");
        }
        if (left == 0) {
            held.remove(sharer);
        } else {
            held.put(sharer, left);
        }
        free += less;
    }

    /// Returns the number of places a caller must free before it can take another, if other callers change
    /// nothing; at most all of its own.
    public synchronized long excess(Sharer sharer) {
        long own = held(sharer);
        return LongStream.range(1, own)
                .filter(back -> allows(own - back, free + back, 1, unit))
                .findFirst()
                .orElse(own);
    }

    /// Returns the amount held by a caller.
    public synchronized long held(Sharer sharer) {
        return held.getOrDefault(sharer, 0L);
    }

    /// Returns the amount held by all callers.
    public synchronized long taken() {
        return all - free;
    }

    /// Returns the number of callers that hold something.
    public synchronized int sharers() {
        return held.size();
    }

    private static void requirePositive(long number) {
        if (number < 1) {
            throw new IllegalArgumentException(number + " places: a positive number is needed");
        }
    }
}
