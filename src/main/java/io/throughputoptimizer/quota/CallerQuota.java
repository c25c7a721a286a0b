package io.throughputoptimizer.quota;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;

/// Places of one kind, shared among callers by dynamic thresholds (Choudhury and Hahne 1998): a caller may take a
/// further place while it then holds at most [#FACTOR] times the places that are then free. One caller alone gets
/// `FACTOR / (1 + FACTOR)` of all, a second one the same fraction of the rest, and so on. Nothing is reserved for
/// absent
/// callers. The first place of a caller is exempt, so a second caller finds a place wherever there are two.
/// Thread-safe.
public final class CallerQuota {
    /// Ratio of the places that a caller may hold to the free ones.
    public static final int FACTOR = 4;

    private final long all;
    private final int maximumOfOwner;
    private final Map<CallerId, Long> held = new HashMap<>();
    private long free;

    /// @param all number of places
    public CallerQuota(long all) {
        this(all, 0);
    }

    /// @param all number of places
    /// @param maximumOfOwner places that one owner of keys may hold; 0: no maximum
    public CallerQuota(long all, int maximumOfOwner) {
        if (all < 1) {
            throw new IllegalArgumentException("all is " + all + ": a positive number is needed");
        }
        this.all = all;
        this.maximumOfOwner = maximumOfOwner;
        this.free = all;
    }

    /// Returns whether a caller may take a further place.
    ///
    /// @param held places of the caller
    /// @param free places of nobody
    public static boolean allows(long held, long free) {
        long left = free - 1;
        return left >= 0 && (held == 0 || held + 1 <= FACTOR * left);
    }

    /// Takes one place.
    ///
    /// @return whether there is one for the caller; false has no effect
    public synchronized boolean take(CallerId caller) {
        long before = held(caller);
        boolean isAtMaximum = maximumOfOwner > 0 && caller.isOwner() && before >= maximumOfOwner;
        if (isAtMaximum || !allows(before, free)) {
            return false;
        }
        held.put(caller, before + 1);
        free--;
        return true;
    }

    /// Gives back one place that the caller took.
    public synchronized void giveBack(CallerId caller) {
        long left = held(caller) - 1;
        if (left < 0) {
            throw new IllegalStateException("more is given back than was taken");
        }
        if (left == 0) {
            held.remove(caller);
        } else {
            held.put(caller, left);
        }
        free++;
    }

    /// Returns the number of places that a caller has to give back until it may take another, if nobody else gives or
    /// takes any; at most all of its own.
    public synchronized long excess(CallerId caller) {
        long own = held(caller);
        return LongStream.range(1, own)
                .filter(back -> allows(own - back, free + back))
                .findFirst()
                .orElse(own);
    }

    /// Returns the number of places that a caller holds.
    public synchronized long held(CallerId caller) {
        return held.getOrDefault(caller, 0L);
    }

    /// Returns the number of places that all callers hold.
    public synchronized long taken() {
        return all - free;
    }

    /// Returns the number of callers that hold a place.
    public synchronized int callers() {
        return held.size();
    }
}
