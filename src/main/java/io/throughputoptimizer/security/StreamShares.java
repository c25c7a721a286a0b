package io.throughputoptimizer.security;

import io.throughputoptimizer.share.Sharer;
import io.throughputoptimizer.share.Shares;

/// Quota of open streams on this replica: a shared maximum over all callers, and a maximum per authenticated
/// caller. Thread-safe.
public final class StreamShares {
    private final Shares open;
    private final int most;

    /// @param all maximum over all callers
    /// @param most maximum per owner; 0 for its share
    public StreamShares(int all, int most) {
        this.open = new Shares(all);
        this.most = most;
    }

    /// Takes a place for a stream.
    ///
    /// @return true if there was a place
    public synchronized boolean take(Sharer sharer) {
        return (most == 0 || !sharer.isOwner() || open.held(sharer) < most) && open.take(sharer);
    }

    /// Returns a place.
    public void giveBack(Sharer sharer) {
        open.giveBack(sharer);
    }
}
