package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.trace.LengthColumns.TimeColumn;
import io.throughputoptimizer.core.workload.ArrivalCounts;
import io.throughputoptimizer.core.workload.LengthCounts;
import io.throughputoptimizer.core.workload.PrefixReuse;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;

/// Reads a trace line by line, and keeps no more of it than how many requests have which length, and few requests
/// themselves.
public final class TraceReader {
    private static final int SHOWN_LENGTH = 40;

    private TraceReader() {}

    /// A format of traces.
    public enum Syntax {
        /// Separated values: two numbers, or columns under a header that has the names of both lengths.
        CSV,
        /// An object with both members, and any others, on each line.
        JSON_LINES,
        /// Objects like those of JSON lines, with line breaks anywhere, or a list of them.
        JSON
    }

    /// A separator of values.
    public enum Delimiter {
        COMMA(','),
        SEMICOLON(';'),
        TAB('\t');

        final char character;

        Delimiter(char character) {
            this.character = character;
        }
    }

    /// Properties of a trace that the caller can set in addition to its syntax.
    ///
    /// @param delimiter delimiter of values; null to detect it from the first line
    /// @param columns columns of lengths; null to detect known names
    /// @param time column of times; null to detect known names
    /// @param blocks blocks of prompts
    public record Spelling(
            @Nullable Delimiter delimiter,
            @Nullable LengthColumns columns,
            @Nullable TimeColumn time,
            PromptBlocks blocks) {
        /// Spelling with nothing set by the caller.
        public static final Spelling UNSAID = new Spelling(null, null, null, PromptBlocks.UNSAID);
    }

    /// The blocks of prompts that `hash_ids` lists, from the first on.
    ///
    /// @param tokens tokens of a block
    /// @param cacheTokens size of the prefix cache in question; null if there is none
    /// @param asked whether each request must list its blocks
    public record PromptBlocks(int tokens, @Nullable Long cacheTokens, boolean asked) {
        /// Default blocks, as in Mooncake's traces.
        public static final PromptBlocks UNSAID = new PromptBlocks(512, null, false);
    }

    /// Lengths of the requests of a trace, each counted in both.
    ///
    /// @param columns columns of the lengths
    /// @param failed requests without a response according to the trace; not counted in the lengths
    /// @param arrivals arrival times; null unless each request has one
    /// @param reuse reuse of blocks; null unless each request lists its blocks, or if there are too many
    /// @param requests individual requests; null if there are more than simulations replay
    public record Trace(
            LengthCounts input,
            LengthCounts output,
            LengthColumns columns,
            int failed,
            @Nullable ArrivalCounts arrivals,
            @Nullable PrefixReuse reuse,
            TraceRequests.@Nullable Requests requests) {}

    /// A reader of single lines.
    interface LineReader {
        /// @param counts to be added to
        void read(TraceLines line, TraceCounts counts);

        /// Returns the columns of lengths, or null before the first line.
        @Nullable
        LengthColumns columns();
    }

    /// Reads to the end, unless a line is broken; blank lines are passed over.
    ///
    /// @throws InvalidRequestException naming the first line that is broken, or if there is no request at all
    public static Trace read(InputStream stream, Syntax syntax, Spelling spelling) throws IOException {
        TraceCounts counts = new TraceCounts(spelling.blocks());
        LengthColumns columns = switch (syntax) {
            case CSV ->
                lines(stream, new CsvTraceLine(spelling.delimiter(), spelling.columns(), spelling.time()), counts);
            case JSON_LINES -> lines(stream, new JsonTraceLine(spelling.columns(), spelling.time()), counts);
            case JSON -> JsonTraceDocument.read(stream, spelling.columns(), spelling.time(), counts);
        };
        if (columns == null || counts.input.requests() == 0) {
            LengthColumns needed = Objects.requireNonNullElse(
                    columns, Objects.requireNonNullElse(spelling.columns(), LengthColumns.OWN));
            String fault = counts.failed() > 0
                    ? "must have at least one successful request"
                    : "must have at least one request, a line with " + needed.input() + " and " + needed.output();
            throw new InvalidRequestException("", fault);
        }
        return new Trace(
                counts.input,
                counts.output,
                columns,
                counts.failed(),
                counts.arrivals(),
                counts.reuse(),
                counts.requests());
    }

    private static @Nullable LengthColumns lines(InputStream stream, LineReader reader, TraceCounts counts)
            throws IOException {
        TraceLines lines = new TraceLines(stream);
        while (lines.advance()) {
            if (!lines.isBlank()) {
                reader.read(lines, counts);
            }
        }
        return reader.columns();
    }

    /// A length, as it is spelled in a trace.
    ///
    /// @param member name of the length
    /// @param least minimum length
    static int tokens(long line, String member, int least, String text) {
        try {
            int tokens = Integer.parseInt(text);
            if (tokens >= least && tokens <= LengthCounts.MOST_TOKENS) {
                return tokens;
            }
        } catch (NumberFormatException _) {
            // Refused below, as a number out of range is.
        }
        throw BrokenTrace.at(
                line,
                "must have a whole number from " + least + " to " + LengthCounts.MOST_TOKENS + " as " + member
                        + ", got \"" + shortened(text) + "\"");
    }

    /// Shortens foreign text for messages.
    static String shortened(String text) {
        return text.length() > SHOWN_LENGTH ? text.substring(0, SHOWN_LENGTH) + "..." : text;
    }

    /// Lines of JSON objects.
    static final class JsonTraceLine implements TraceReader.LineReader {
        private final JsonTraceObject objects;

        /// @param named absent to go by what is known
        /// @param time absent to go by what is known
        JsonTraceLine(@Nullable LengthColumns named, @Nullable TimeColumn time) {
            objects = new JsonTraceObject(named, time);
        }

        @Override
        public void read(TraceLines line, TraceCounts counts) {
            try (JsonParser parser = JsonTraceObject.JSON.createParser(line.buffer(), line.offset(), line.length())) {
                require(parser.nextToken() == JsonToken.START_OBJECT, line, "must be a JSON object");
                objects.read(parser, line.number(), counts);
                require(parser.nextToken() == null, line, "must end after its object");
            } catch (StreamConstraintsException _) {
                throw BrokenTrace.at(line.number(), JsonTraceObject.BEYOND_BOUNDS);
            } catch (JacksonException _) {
                throw BrokenTrace.at(line.number(), "must be a JSON object");
            }
        }

        @Override
        public @Nullable LengthColumns columns() {
            return objects.columns();
        }

        private static void require(boolean kept, TraceLines line, String fault) {
            if (!kept) {
                throw BrokenTrace.at(line.number(), fault);
            }
        }
    }

    /// A JSON file that is read with one value in memory at a time: objects one after another, or one list of them.
    static final class JsonTraceDocument {
        private JsonTraceDocument() {}

        /// @param named absent to go by what is known
        /// @param time absent to go by what is known
        /// @return where lengths were found; none if there is no object
        static @Nullable LengthColumns read(
                InputStream stream, @Nullable LengthColumns named, @Nullable TimeColumn time, TraceCounts counts)
                throws IOException {
            JsonTraceObject objects = new JsonTraceObject(named, time);
            try (JsonParser parser = JsonTraceObject.JSON.createParser(stream)) {
                try {
                    read(parser, objects, counts);
                } catch (StreamConstraintsException _) {
                    throw BrokenTrace.at(line(parser), JsonTraceObject.BEYOND_BOUNDS);
                } catch (JacksonIOException e) {
                    throw e.getCause();
                } catch (JacksonException _) {
                    throw BrokenTrace.at(line(parser), "must be JSON");
                }
            }
            return objects.columns();
        }

        private static void read(JsonParser parser, JsonTraceObject objects, TraceCounts counts) {
            boolean listed = false;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    objects.read(parser, line(parser), counts);
                } else if (token == JsonToken.START_ARRAY && !listed) {
                    listed = true;
                } else if (token == JsonToken.END_ARRAY) {
                    listed = false;
                } else {
                    throw BrokenTrace.at(line(parser), "must contain objects only");
                }
            }
        }

        private static long line(JsonParser parser) {
            return parser.currentTokenLocation().getLineNr();
        }
    }

    /// A line of a trace breaks a rule, and with it the whole trace.
    static final class BrokenTrace {
        private BrokenTrace() {}

        /// @param line counted from 1
        /// @param fault value and rule
        static InvalidRequestException at(long line, String fault) {
            return new InvalidRequestException("", "line " + line + " " + fault);
        }
    }

    /// The individual requests of a trace, if simulations can replay them. Not thread-safe.
    public static final class TraceRequests {
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
}
