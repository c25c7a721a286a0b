package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.web.problem.ProblemException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.OncePerRequestFilter;

/// A filter that bounds the bytes of all request bodies in flight. Bytes count from when they arrive until their
/// request is answered. A request whose bytes exceed the bound gets a [ProblemException] while it reads them.
/// Thread-safe.
public final class BodiesInFlightFilter extends OncePerRequestFilter {
    private final long maximum;
    private final Duration retryAfter;
    private final Set<String> streamed;
    private final AtomicLong inFlight = new AtomicLong();

    /// @param maximum bytes of all bodies together
    /// @param retryAfter advice to a caller whose body exceeds the bound
    /// @param streamed paths whose bodies are processed while they arrive, and do not count
    public BodiesInFlightFilter(DataSize maximum, Duration retryAfter, Set<String> streamed) {
        this.maximum = maximum.toBytes();
        this.retryAfter = retryAfter;
        this.streamed = Set.copyOf(streamed);
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return streamed.contains(request.getRequestURI());
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        CountedRequest counted = new CountedRequest(request);
        try {
            chain.doFilter(counted, response);
        } finally {
            inFlight.addAndGet(-counted.bytes);
        }
    }

    /// A request whose body is counted. Used by one thread.
    private final class CountedRequest extends HttpServletRequestWrapper {
        private long bytes;

        CountedRequest(HttpServletRequest request) {
            super(request);
        }

        /// @throws ProblemException if all bodies together exceed the bound
        void count(int more) {
            bytes += more;
            if (inFlight.addAndGet(more) > maximum) {
                throw ProblemException.bodiesBusy(retryAfter);
            }
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new CountedBody(super.getInputStream(), this);
        }
    }

    /// A body whose bytes count as they arrive.
    private static final class CountedBody extends ServletInputStream {
        private final ServletInputStream body;
        private final CountedRequest request;

        CountedBody(ServletInputStream body, CountedRequest request) {
            this.body = body;
            this.request = request;
        }

        @Override
        public int read() throws IOException {
            int read = body.read();
            if (read >= 0) {
                request.count(1);
            }
            return read;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = body.read(target, offset, length);
            if (read > 0) {
                request.count(read);
            }
            return read;
        }

        @Override
        public boolean isFinished() {
            return body.isFinished();
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            body.setReadListener(listener);
        }
    }
}
