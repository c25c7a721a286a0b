package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.share.Sharer;
import io.throughputoptimizer.share.Shares;
import org.springframework.stereotype.Component;

/// Places of requests that wait for the end of a search, which callers share. Thread-safe.
@Component
public final class WaitingRequests {
    private final Shares places;

    WaitingRequests(HttpLimits limits) {
        this.places = new Shares(limits.mostWaiting());
    }

    /// @return whether there was a place for the caller, who has it now
    public boolean take(Sharer sharer) {
        return places.take(sharer);
    }

    public void giveBack(Sharer sharer) {
        places.giveBack(sharer);
    }
}
