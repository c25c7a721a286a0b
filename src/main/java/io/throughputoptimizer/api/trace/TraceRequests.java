package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.Bounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The individual requests of a trace, if simulations can replay them. Not thread-safe.
public final class TraceRequests {
    private final List<Request> kept = new ArrayList<>();
    private boolean replayable = true;

    /// @param outputTokens at least 1
    /// @param sentMillis 0 where it is not known
    public record Request(int inputTokens, int outputTokens, long sentMillis) {}

    /// @param timed whether each says when it was sent; they are in that order then
    public record Requests(List<Request> requests, boolean timed) {
        public Requests {
            requests = List.copyOf(requests);
        }
    }

    void add(Request request) {
        replayable &= request.outputTokens > 0 && kept.size() < Bounds.RECORDED;
        if (replayable) {
            kept.add(request);
        } else {
            kept.clear();
        }
    }

    /// Returns the requests, or null if there are more than [Bounds#RECORDED] or one has no response.
    ///
    /// @param timed whether all requests have a time
    @Nullable
    Requests requests(boolean timed) {
        if (!replayable) {
            return null;
        }
        if (timed) {
            kept.sort(Comparator.comparingLong(Request::sentMillis));
        }
        return new Requests(kept, timed);
    }
}
