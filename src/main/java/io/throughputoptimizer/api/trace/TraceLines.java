package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.trace.TraceReader.BrokenTrace;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// Lines of a stream, one at a time: never more than the longest of them in memory. Lines end in LF or CR LF; a byte
/// order mark at the start is passed over. Used by one thread.
final class TraceLines {
    /// Longest line in bytes.
    static final int LONGEST = 1 << 20;

    private static final int CHUNK = 1 << 16;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream stream;
    private byte[] buffer = new byte[CHUNK];
    private int begin;
    private int end;
    private int lineEnd;
    private int next;
    private boolean ended;
    private long number;

    TraceLines(InputStream stream) {
        this.stream = stream;
    }

    /// Goes on to the next line.
    ///
    /// @return whether there is one
    boolean advance() throws IOException {
        begin = next;
        int searched = begin;
        while (true) {
            int newline = newline(searched);
            if (newline >= 0) {
                return setLine(newline, newline + 1);
            }
            searched = end - begin;
            if (ended || !fill()) {
                ended = true;
                return begin < end && setLine(end, end);
            }
            searched += begin;
        }
    }

    private int newline(int from) {
        for (int index = from; index < end; index++) {
            if (buffer[index] == '\n') {
                return index;
            }
        }
        return -1;
    }

    private boolean setLine(int last, int following) {
        number++;
        if (number == 1 && startsWithMark(last)) {
            begin += BYTE_ORDER_MARK.length;
        }
        lineEnd = last > begin && buffer[last - 1] == '\r' ? last - 1 : last;
        next = following;
        return true;
    }

    private boolean startsWithMark(int last) {
        return Arrays.equals(
                buffer,
                begin,
                Math.min(last, begin + BYTE_ORDER_MARK.length),
                BYTE_ORDER_MARK,
                0,
                BYTE_ORDER_MARK.length);
    }

    /// Moves the line that has begun to the front, and reads more of it.
    ///
    /// @return whether there was more
    private boolean fill() throws IOException {
        System.arraycopy(buffer, begin, buffer, 0, end - begin);
        end -= begin;
        begin = 0;
        if (end > LONGEST) {
            throw BrokenTrace.at(number + 1, "must be at most " + LONGEST + " bytes long");
        }
        if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * end);
        }
        int read = stream.read(buffer, end, buffer.length - end);
        end += Math.max(read, 0);
        return read >= 0;
    }

    /// Returns the number of the current line, from 1.
    long number() {
        return number;
    }

    /// Returns the buffer of the current line.
    byte[] buffer() {
        return buffer;
    }

    /// Returns the start of the current line in the buffer.
    int offset() {
        return begin;
    }

    /// Bytes of the current line, without its end.
    int length() {
        return lineEnd - begin;
    }

    boolean isBlank() {
        for (int index = begin; index < lineEnd; index++) {
            if (buffer[index] != ' ' && buffer[index] != '\t') {
                return false;
            }
        }
        return true;
    }
}
