package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.share.Sharer;
import io.throughputoptimizer.share.Shares;
import io.throughputoptimizer.web.problem.BodyTooLargeException;
import io.throughputoptimizer.web.problem.ProblemException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.springframework.util.unit.DataSize;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/// Bytes of request bodies that this process holds, shared among callers. They count from when they arrive, however
/// many were announced, until their request is answered: what is made of a body is held as long. Thread-safe.
public final class BodyShares {
    private final Shares shares;
    private final Duration retryAfter;

    /// @param all that the process holds of bodies
    /// @param unit that each caller may hold as long as there is any: the longest of usual bodies
    /// @param retryAfter advice to a caller whose body finds no room
    public BodyShares(DataSize all, DataSize unit, Duration retryAfter) {
        this.shares = new Shares(all.toBytes(), unit.toBytes());
        this.retryAfter = retryAfter;
    }

    /// Reads the body of the request that this thread answers.
    ///
    /// @param longest that it may be
    /// @throws BodyTooLargeException if it is longer than one body may be
    /// @throws ProblemException if there is no more room for the caller
    public byte[] read(InputStream body, DataSize longest) throws IOException {
        Held held = new Held(Caller.currentSharer());
        RequestContextHolder.currentRequestAttributes()
                .registerDestructionCallback(Held.class.getName(), held::giveBack, RequestAttributes.SCOPE_REQUEST);
        byte[] bytes = new Counted(body, held).readNBytes(Math.toIntExact(longest.toBytes()) + 1);
        if (bytes.length > longest.toBytes()) {
            throw new BodyTooLargeException(longest);
        }
        return bytes;
    }

    /// What one request holds. Used by one thread.
    private final class Held {
        private final Sharer sharer;
        private long bytes;

        Held(Sharer sharer) {
            this.sharer = sharer;
        }

        void take(int more) {
            if (!shares.take(sharer, more)) {
                throw ProblemException.bodiesBusy(retryAfter);
            }
            bytes += more;
        }

        void giveBack() {
            if (bytes > 0) {
                shares.giveBack(sharer, bytes);
                bytes = 0;
            }
        }
    }

    /// A body whose bytes count as they arrive.
    private static final class Counted extends FilterInputStream {
        private final Held held;

        Counted(InputStream body, Held held) {
            super(body);
            this.held = held;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = super.read(target, offset, length);
            if (read > 0) {
                held.take(read);
            }
            return read;
        }
    }
}
