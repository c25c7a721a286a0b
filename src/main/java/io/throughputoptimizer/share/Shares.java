package io.throughputoptimizer.share;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;

/// Places or bytes of one kind, shared among callers by dynamic thresholds (Choudhury and Hahne 1998): a caller
/// may take more while what it holds then is at most [#FACTOR] times what is free then. One caller alone gets
/// `FACTOR / (1 + FACTOR)` of all, a second one as large a part of the rest, and so on; nothing is set aside
/// for callers who are not there.
///
/// A unit is what one request needs: one place, or the bytes of the longest body. Up to one unit each caller has as
/// long as there is any; what goes beyond leaves one unit free for somebody else. So a second caller always finds one,
/// wherever there are two. Thread-safe.
public final class Shares {
    /// How many times as much as is free a caller may hold.
    public static final int FACTOR = 4;

    private final long all;
    private final long unit;
    private final Map<Sharer, Long> held = new HashMap<>();
    private long free;

    /// @param all places that there are
    public Shares(long all) {
        this(all, 1);
    }

    /// @param all places or bytes that there are
    /// @param unit that one request needs at the most
    public Shares(long all, long unit) {
        if (all < 1 || unit < 1) {
            throw new IllegalArgumentException("all is " + all + " and unit " + unit + ": both must be positive");
        }
        this.all = all;
        this.unit = unit;
        this.free = all;
    }

    /// Whether a caller may take more of what is shared.
    ///
    /// @param held what the caller has
    /// @param free what nobody has
    /// @param more what it asks for
    public static boolean allows(long held, long free, long more, long unit) {
        long left = free - more;
        if (left < 0) {
            return false;
        }
        return held + more <= unit || (left >= unit && held + more <= FACTOR * left);
    }

    /// Takes one place.
    ///
    /// @return whether there is one for the caller; false has no effect
    public boolean take(Sharer sharer) {
        return take(sharer, 1);
    }

    /// Takes places or bytes.
    ///
    /// @return whether there are so many for the caller; false has no effect
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

    /// Gives one place back.
    public void giveBack(Sharer sharer) {
        giveBack(sharer, 1);
    }

    /// Gives places or bytes back that the caller took.
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

    /// How many places a caller has to give back until it may take another, if nobody else gives or takes any; all of
    /// its own at the most.
    public synchronized long excess(Sharer sharer) {
        long own = held(sharer);
        return LongStream.range(1, own)
                .filter(back -> allows(own - back, free + back, 1, unit))
                .findFirst()
                .orElse(own);
    }

    /// What a caller has.
    public synchronized long held(Sharer sharer) {
        return held.getOrDefault(sharer, 0L);
    }

    /// What all callers have.
    public synchronized long taken() {
        return all - free;
    }

    /// How many callers have something.
    public synchronized int sharers() {
        return held.size();
    }

    private static void requirePositive(long number) {
        if (number < 1) {
            throw new IllegalArgumentException(number + " places: a positive number is needed");
        }
    }
}
