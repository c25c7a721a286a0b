package io.throughputoptimizer.web.bound;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/// Gives up a request body that does not arrive in time, whether somebody reads it or not. A single read ends after
/// half the time, and none begins when it is over, so that nothing is held longer than one and a half times of it.
/// How long an answer takes is not limited.
public final class BodyDeadline extends ValveBase {
    private static final int LONGEST_REST = 1 << 21;

    /// Slowest line that a trace is waited for, once its first bytes are there.
    private static final long TRACE_BYTES_PER_SECOND = 256 * 1024;

    private final Duration longest;
    private final Set<String> longBodies;

    /// @param longBodies paths whose bodies may be so long that a good line needs more time for them
    public BodyDeadline(Duration longest, Set<String> longBodies) {
        super(true);
        this.longest = longest;
        this.longBodies = Set.copyOf(longBodies);
    }

    /// Bounds each read of a body.
    public void limitReads(ProtocolHandler protocol) {
        if (protocol instanceof AbstractHttp11Protocol<?> http) {
            http.setDisableUploadTimeout(false);
            http.setConnectionUploadTimeout(Math.toIntExact(Math.max(1, longest.toMillis() / 2)));
        }
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        org.apache.coyote.Request wire = request.getCoyoteRequest();
        InputBuffer plain = wire.getInputBuffer();
        Timed timed = new Timed(plain, System.nanoTime() + longest.toNanos(), isLong(request));
        wire.setInputBuffer(timed);
        try {
            if (isUseless(request)) {
                discardRest(wire, timed);
            }
            if (!timed.failed) {
                getNext().invoke(request, response);
            }
            if (!request.isAsync() && !isRead(wire)) {
                response.finishResponse();
                discardRest(wire, timed);
            }
        } finally {
            wire.setInputBuffer(plain);
        }
    }

    private boolean isLong(Request request) {
        return longBodies.contains(String.valueOf(request.getDecodedRequestURI()));
    }

    /// The body of a GET means nothing (RFC 9110), and an event stream could not be ended for its sake. A request whose
    /// first line is malformed has no method.
    private static boolean isUseless(Request request) {
        return "GET".equals(request.getMethod()) && !isRead(request.getCoyoteRequest());
    }

    private static boolean isRead(org.apache.coyote.Request wire) {
        AtomicBoolean read = new AtomicBoolean();
        wire.action(ActionCode.REQUEST_BODY_FULLY_READ, read);
        return read.get();
    }

    /// Reads what nobody wanted, for the sake of the connection's next request, or closes the connection. Who waits
    /// to be told to continue sends nothing more.
    private static void discardRest(org.apache.coyote.Request wire, Timed timed) {
        if (wire.hasExpectation() || !timed.discard(LONGEST_REST)) {
            wire.action(ActionCode.CLOSE_NOW, null);
        }
    }

    /// A body with a time at which it must have arrived. Each part of a trace that arrives gives the next one more
    /// time, and the time that the service takes to work on it does not count.
    private static final class Timed implements InputBuffer {
        private final InputBuffer body;
        private final boolean trace;
        private long deadlineNanos;
        private long lastNanos = System.nanoTime();
        private boolean failed;

        Timed(InputBuffer body, long deadlineNanos, boolean trace) {
            this.body = body;
            this.deadlineNanos = deadlineNanos;
            this.trace = trace;
        }

        @Override
        public int doRead(ApplicationBufferHandler handler) throws IOException {
            try {
                long nowNanos = System.nanoTime();
                deadlineNanos += trace ? nowNanos - lastNanos : 0;
                if (nowNanos - deadlineNanos > 0) {
                    throw new SocketTimeoutException("the request body did not arrive in time");
                }
                int read = body.doRead(handler);
                if (trace && read > 0) {
                    deadlineNanos += read * TimeUnit.SECONDS.toNanos(1) / TRACE_BYTES_PER_SECOND;
                }
                lastNanos = System.nanoTime();
                return read;
            } catch (IOException e) {
                failed = true;
                throw e;
            }
        }

        @Override
        public int available() {
            return body.available();
        }

        /// @return whether the end was reached
        boolean discard(int most) {
            Discarded chunk = new Discarded();
            int discarded = 0;
            try {
                while (!failed && discarded <= most) {
                    int read = doRead(chunk);
                    if (read < 0) {
                        return true;
                    }
                    discarded += read;
                }
            } catch (IOException _) {
                // It will not come any more.
            }
            return false;
        }
    }

    /// Where bytes go that nobody wants.
    private static final class Discarded implements ApplicationBufferHandler {
        private @Nullable ByteBuffer bytes;

        @Override
        public void setByteBuffer(ByteBuffer buffer) {
            bytes = buffer;
        }

        @Override
        public @Nullable ByteBuffer getByteBuffer() {
            return bytes;
        }

        @Override
        public void expand(int size) {
            // The bytes stay where they were read.
        }
    }
}
