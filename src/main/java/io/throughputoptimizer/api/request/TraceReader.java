package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.core.workload.LengthCounts;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/// Reads a trace line by line, and keeps no more of it than how many requests have which length.
public final class TraceReader {
    static final String INPUT = "input_tokens";
    static final String OUTPUT = "output_tokens";

    private static final int SHOWN_LENGTH = 40;

    private TraceReader() {}

    /// How lines are spelled.
    public enum Syntax {
        /// Comma-separated values: two numbers, or columns under a header that has both names.
        CSV,
        /// An object with both members, and any others, on each line.
        JSON_LINES
    }

    /// Lengths of the requests of a trace, each counted in both.
    public record Trace(LengthCounts input, LengthCounts output) {
        void add(int inputTokens, int outputTokens) {
            input.add(inputTokens);
            output.add(outputTokens);
        }
    }

    /// What one line says of its request.
    interface LineReader {
        /// @param counts to be added to
        void read(TraceLines line, Trace counts);
    }

    /// Reads to the end, unless a line is broken; blank lines are passed over.
    ///
    /// @throws InvalidRequestException naming the first line that is broken, or if there is no request at all
    public static Trace read(InputStream stream, Syntax syntax) throws IOException {
        LineReader reader = switch (syntax) {
            case CSV -> new CsvTraceLine();
            case JSON_LINES -> new JsonTraceLine();
        };
        TraceLines lines = new TraceLines(stream);
        Trace trace = new Trace(new LengthCounts(), new LengthCounts());
        while (lines.advance()) {
            if (!lines.isBlank()) {
                reader.read(lines, trace);
            }
        }
        if (trace.input().requests() == 0) {
            throw new InvalidRequestException(List.of(
                    new Violation("", "has no request: a line with " + INPUT + " and " + OUTPUT + " is needed")));
        }
        return trace;
    }

    /// A length, as it is spelled in a trace.
    ///
    /// @param member what it is the length of
    static int tokens(long line, String member, String text) {
        int least = member.equals(INPUT) ? 1 : 0;
        try {
            int tokens = Integer.parseInt(text);
            if (tokens >= least && tokens <= LengthCounts.MOST_TOKENS) {
                return tokens;
            }
        } catch (NumberFormatException _) {
            // Refused below, as a number out of range is.
        }
        String shown = text.length() > SHOWN_LENGTH ? text.substring(0, SHOWN_LENGTH) + "..." : text;
        throw BrokenTrace.at(
                line,
                "has " + member + " \"" + shown + "\": a whole number from " + least + " to " + LengthCounts.MOST_TOKENS
                        + " is needed");
    }
}
