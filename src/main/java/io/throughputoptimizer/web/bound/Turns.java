package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.share.Sharer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/// Who asks many things at once while others ask too is answered a few at a time, so that its requests leave a
/// processor to theirs: one fewer than there are processors, and one at least. Whoever asks alone is answered as it
/// asks, and begins a request only so much later as [#LONGEST_WAIT] says, whatever its others do: nobody is kept out by
/// a request of its own whose body does not come, or whose answer it reads slowly. Thread-safe.
public final class Turns extends OncePerRequestFilter {
    /// Several times as long as most requests take.
    static final Duration LONGEST_WAIT = Duration.ofMillis(50);

    /// How long a caller counts as one who asks, after it has.
    static final Duration PRESENCE = Duration.ofSeconds(1);

    private static final String TURN = Turns.class.getName();

    private final int atOnce;
    private final Duration longestWait;
    private final LongSupplier nanos;
    private final Map<Sharer, Line> lines = new HashMap<>();
    private @Nullable Seen last;
    private @Nullable Seen lastOther;

    public Turns() {
        this(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), LONGEST_WAIT, System::nanoTime);
    }

    /// @param atOnce requests of one caller
    /// @param nanos as [System#nanoTime()]
    public Turns(int atOnce, Duration longestWait, LongSupplier nanos) {
        this.atOnce = atOnce;
        this.longestWait = longestWait;
        this.nanos = nanos;
    }

    /// Who asked, and when for the last time.
    private record Seen(Sharer sharer, long atNanos) {}

    /// A caller's requests that are being answered, or wait for their turn.
    private static final class Line {
        private final Semaphore turns;
        private int requests;

        Line(int atOnce) {
            this.turns = new Semaphore(atOnce, true);
        }
    }

    /// What one request has. Used by one thread.
    private static final class Turn {
        private final Line line;
        private boolean taken;

        Turn(Line line, boolean taken) {
            this.line = line;
            this.taken = taken;
        }

        void end() {
            if (taken) {
                taken = false;
                line.turns.release();
            }
        }
    }

    /// Lets the next request of the same caller begin, since the one that this thread answers is about to wait.
    static void end() {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        if (request != null && request.getAttribute(TURN, RequestAttributes.SCOPE_REQUEST) instanceof Turn turn) {
            turn.end();
        }
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Sharer sharer = Caller.sharer(request);
        boolean shared = isShared(sharer);
        Line line = enter(sharer);
        Turn turn = new Turn(line, take(line.turns, shared));
        request.setAttribute(TURN, turn);
        try {
            chain.doFilter(request, response);
        } finally {
            turn.end();
            leave(sharer, line);
        }
    }

    /// Whether somebody else has asked lately.
    private synchronized boolean isShared(Sharer sharer) {
        long now = nanos.getAsLong();
        if (last != null && !last.sharer.equals(sharer)) {
            lastOther = last;
        }
        last = new Seen(sharer, now);
        return lastOther != null && now - lastOther.atNanos <= PRESENCE.toNanos();
    }

    private synchronized Line enter(Sharer sharer) {
        Line line = lines.computeIfAbsent(sharer, _ -> new Line(atOnce));
        line.requests++;
        return line;
    }

    private synchronized void leave(Sharer sharer, Line line) {
        line.requests--;
        if (line.requests == 0) {
            lines.remove(sharer);
        }
    }

    private boolean take(Semaphore turns, boolean shared) {
        try {
            return turns.tryAcquire(shared ? longestWait.toNanos() : 0, TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Requests that wait for their turn, of all callers.
    synchronized int waiting() {
        return lines.values().stream()
                .mapToInt(line -> line.turns.getQueueLength())
                .sum();
    }
}
