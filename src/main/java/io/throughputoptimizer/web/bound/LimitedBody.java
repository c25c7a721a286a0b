package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.web.problem.ProblemException.BodyTooLargeException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.springframework.util.unit.DataSize;

/// A body that may not be longer than so many bytes: who reads further gets a [BodyTooLargeException]. Others
/// have their turn at each read, for a virtual thread keeps its processor while there are bytes to read.
public final class LimitedBody extends FilterInputStream {
    private static final int CHUNK = 1 << 16;

    private final DataSize longest;
    private long left;

    public LimitedBody(InputStream body, DataSize longest) {
        super(body);
        this.longest = longest;
        this.left = longest.toBytes();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it: without it others only wait longer.
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Thread.yield();
        int read = super.read(bytes, offset, length);
        left -= Math.max(read, 0);
        if (left < 0) {
            throw new BodyTooLargeException(longest);
        }
        return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
        return readNBytes((int) Math.min(bytes, CHUNK)).length;
    }

    /// Who reads it may find it broken, and close it: the rest is still to be passed over.
    @Override
    public void close() {}

    @Override
    public boolean markSupported() {
        return false;
    }
}
