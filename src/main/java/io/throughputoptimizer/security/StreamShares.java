package io.throughputoptimizer.security;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// Streams that each caller has open at this replica. Thread-safe.
public final class StreamShares {
    private final int most;
    private final ConcurrentMap<String, Integer> open = new ConcurrentHashMap<>();

    /// @param most that one caller may have open; 0: any number
    public StreamShares(int most) {
        this.most = most;
    }

    /// Takes the place of one more stream. Whoever is not asked who he is has any number.
    ///
    /// @return whether there is a place
    public boolean take(Caller caller) {
        String owner = caller.owner();
        if (owner == null || most == 0) {
            return true;
        }
        AtomicBoolean taken = new AtomicBoolean();
        open.compute(owner, (_, count) -> {
            int before = count == null ? 0 : count;
            taken.set(before < most);
            return taken.get() ? before + 1 : before;
        });
        return taken.get();
    }

    /// Gives the place back that was taken.
    public void giveBack(Caller caller) {
        if (caller.owner() != null) {
            open.computeIfPresent(caller.owner(), (_, count) -> count == 1 ? null : count - 1);
        }
    }
}
