package io.throughputoptimizer.security;

import io.throughputoptimizer.share.Sharer;
import io.throughputoptimizer.share.Shares;

/// Streams that callers have open at this replica: so many of all callers, which they share, and so many of one who has
/// shown who it is. Thread-safe.
public final class StreamShares {
    private final Shares open;
    private final int most;

    /// @param all that callers may have open
    /// @param most that one owner may have open; 0: its share
    public StreamShares(int all, int most) {
        this.open = new Shares(all);
        this.most = most;
    }

    /// Takes the place of one more stream.
    ///
    /// @return whether there is a place
    public synchronized boolean take(Sharer sharer) {
        return (most == 0 || !sharer.isOwner() || open.held(sharer) < most) && open.take(sharer);
    }

    /// Gives the place back that was taken.
    public void giveBack(Sharer sharer) {
        open.giveBack(sharer);
    }
}
