package io.throughputoptimizer.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Lines of a text, one at a time. A longer line is cut, so that memory is bounded. Used by one thread.
public final class TextLines {
    /// Bytes of a line that are read: lists of arguments have up to 30,000.
    public static final int LONGEST = 1 << 16;

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final InputStream stream;
    private final byte[] chunk = new byte[LONGEST];
    private final byte[] line = new byte[LONGEST];
    private int position;
    private int end;
    private long number;
    private long cut;

    public TextLines(InputStream stream) {
        this.stream = stream;
    }

    /// Returns the next line without its end, or null after the last.
    ///
    /// @throws InvalidRequestException if the line holds a zero byte, as binary files and UTF-16 do
    public @Nullable String next() throws IOException {
        int length = 0;
        boolean any = false;
        number++;
        while (position < end || fill()) {
            any = true;
            byte next = chunk[position++];
            if (next == '\n') {
                break;
            }
            if (next == 0) {
                throw new InvalidRequestException(
                        "", "line " + number + " must not hold a zero byte. Send plain text in UTF-8.");
            }
            if (length < LONGEST) {
                line[length] = next;
            }
            length++;
        }
        if (length > LONGEST) {
            cut++;
        }
        if (!any) {
            return null;
        }
        String text = new String(line, 0, Math.min(length, LONGEST), UTF_8);
        return number == 1 ? withoutMark(text) : text;
    }

    /// Returns a text without its byte order mark.
    static String withoutMark(String text) {
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    private boolean fill() throws IOException {
        end = Math.max(stream.read(chunk), 0);
        position = 0;
        return end > 0;
    }

    /// Returns the number of the current line, counted from 1.
    public long number() {
        return number;
    }

    /// Returns the number of lines that were cut.
    public long cut() {
        return cut;
    }
}
