package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.trace.LengthColumns.TimeColumn;
import io.throughputoptimizer.api.trace.TraceReader.BrokenTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/// Objects of a trace, each a request, or a benchmark with lists of them: lengths are read, other members passed over
/// within the bounds that requests have too. The first object tells where the lengths of all are. Used by one thread.
final class JsonTraceObject {
    static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(Bounds.NESTING)
                            .maxNumberLength(Bounds.DIGITS)
                            .maxNameLength(Bounds.NAME)
                            .maxStringLength(TraceLines.LONGEST)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /// Message for an object that exceeds the parser's limits.
    static final String BEYOND_BOUNDS = "must not exceed " + Bounds.NESTING + " levels, " + Bounds.DIGITS
            + " digits of a number or " + Bounds.NAME + " characters of a name";

    /// Maximum names in one object; each is kept until the object ends.
    private static final int MOST_NAMES = 1_000;

    /// Maximum requests in one benchmark.
    private static final int MOST_REQUESTS = 1_000_000;

    /// Beside the lists of a benchmark: empty texts of those requests that were answered.
    private static final String ERRORS = "errors";

    /// Beside the lengths of a request of inference-perf: null if it was answered.
    private static final String ERROR = "error";

    private List<LengthColumns> candidates;
    private @Nullable LengthColumns columns;
    private @Nullable TimeColumn time;
    private final Set<String> wanted = new HashSet<>();
    private final Set<String> above = new HashSet<>();
    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, Lengths> lists = new HashMap<>();
    private final BitSet failed = new BitSet();
    private final BlockList blocks = new BlockList();
    private final List<String> names = new ArrayList<>();
    private int count;

    /// @param named absent to go by what is known
    /// @param time absent to go by what is known
    JsonTraceObject(@Nullable LengthColumns named, @Nullable TimeColumn time) {
        this.time = time;
        candidates = named == null ? LengthColumns.KNOWN : List.of(named);
        want();
    }

    private void want() {
        wanted.clear();
        above.clear();
        for (LengthColumns candidate : candidates) {
            want(candidate.input());
            want(candidate.output());
        }
        if (time != null) {
            want(time.name());
        } else if (columns == null) {
            LengthColumns.TIMES.forEach(this::want);
        }
        if (candidates.contains(LengthColumns.VLLM_BENCH)) {
            wanted.add(ERRORS);
        }
        if (candidates.contains(LengthColumns.INFERENCE_PERF)) {
            wanted.add(ERROR);
        }
        wanted.add(BlockList.MEMBER);
    }

    private void want(String path) {
        wanted.add(path);
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            above.add(path.substring(0, dot));
        }
    }

    /// Returns the names under which lengths were found.
    ///
    /// @return null before the first object
    @Nullable
    LengthColumns columns() {
        return columns;
    }

    /// Reads an object, after the token that starts it.
    ///
    /// @param line to be named if the object is broken
    void read(JsonParser parser, long line, TraceCounts counts) {
        texts.clear();
        lists.clear();
        failed.clear();
        blocks.clear();
        names.clear();
        count = 0;
        members(parser, "", line);
        LengthColumns found = columns == null ? choose(line) : columns;
        if (found.equals(LengthColumns.VLLM_BENCH)) {
            addAll(list(found.input(), line), list(found.output(), line), line, counts);
            counts.addBlocks(null, 1, line);
        } else if (found.equals(LengthColumns.INFERENCE_PERF)
                && !texts.getOrDefault(ERROR, "null").equals("null")) {
            counts.addFailed();
        } else {
            int input = TraceReader.tokens(line, found.input(), 1, text(found.input(), line));
            int output = TraceReader.tokens(line, found.output(), 0, text(found.output(), line));
            counts.add(found, input, output, time, time == null ? null : time(time.name()), line);
            counts.addBlocks(blocks.isThere() ? blocks : null, input, line);
        }
    }

    private LengthColumns choose(long line) {
        LengthColumns found = LengthColumns.among(candidates, this::isThere, line);
        if (found == null) {
            String missing = LengthColumns.missing(candidates, this::isThere);
            throw BrokenTrace.at(line, missing == null ? LengthColumns.unknown(names) : "must have " + missing);
        }
        columns = found;
        candidates = List.of(found);
        time = time == null ? found.time() : time;
        want();
        return found;
    }

    private boolean isThere(String path) {
        return texts.containsKey(path) || lists.containsKey(path);
    }

    private void members(JsonParser parser, String prefix, long line) {
        for (JsonToken name = parser.nextToken(); name == JsonToken.PROPERTY_NAME; name = parser.nextToken()) {
            count++;
            String path = prefix + parser.currentName();
            if (columns == null && prefix.isEmpty()) {
                names.add(path);
            }
            JsonToken value = parser.nextToken();
            if (wanted.contains(path)) {
                take(path, value, parser, line);
            } else if (value == JsonToken.START_OBJECT && above.contains(path)) {
                members(parser, path + ".", line);
            } else {
                skip(value, parser);
            }
            require(count <= MOST_NAMES, line, "must have at most " + MOST_NAMES + " names");
        }
    }

    private void take(String path, JsonToken value, JsonParser parser, long line) {
        if (path.equals(ERRORS)) {
            takeErrors(value, parser);
        } else if (path.equals(BlockList.MEMBER) && value == JsonToken.START_ARRAY) {
            blocks.read(parser, line);
        } else if (value == JsonToken.START_ARRAY && isList(path)) {
            Lengths lengths = new Lengths();
            int least = path.equals(LengthColumns.VLLM_BENCH.input()) ? 1 : 0;
            for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                require(lengths.size < MOST_REQUESTS, line, "must have at most " + MOST_REQUESTS + " " + path);
                lengths.add(TraceReader.tokens(line, path, least, spelled(token, parser)));
            }
            lists.put(path, lengths);
        } else {
            boolean first = texts.put(path, spelled(value, parser)) == null;
            require(first, line, "must not have " + path + " twice");
            skip(value, parser);
        }
    }

    private static boolean isList(String path) {
        return path.equals(LengthColumns.VLLM_BENCH.input()) || path.equals(LengthColumns.VLLM_BENCH.output());
    }

    private void takeErrors(JsonToken value, JsonParser parser) {
        if (value != JsonToken.START_ARRAY) {
            skip(value, parser);
            return;
        }
        int request = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token == JsonToken.VALUE_STRING && parser.getStringLength() > 0 && request < MOST_REQUESTS) {
                failed.set(request);
            }
            skip(token, parser);
            request++;
        }
    }

    private void addAll(Lengths input, Lengths output, long line, TraceCounts counts) {
        require(
                input.size == output.size,
                line,
                "must have equally many input_lens and output_lens, got " + input.size + " and " + output.size);
        for (int request = 0; request < input.size; request++) {
            if (failed.get(request)) {
                counts.addFailed();
            } else {
                counts.add(LengthColumns.VLLM_BENCH, input.tokens[request], output.tokens[request]);
            }
        }
    }

    private Lengths list(String path, long line) {
        Lengths lengths = lists.get(path);
        if (lengths == null) {
            throw BrokenTrace.at(line, (texts.containsKey(path) ? "must have a list of " : "must have ") + path);
        }
        return lengths;
    }

    /// Without the marks of a text.
    private @Nullable String time(String path) {
        String text = texts.get(path);
        return text == null || !text.startsWith("'") ? text : text.substring(1, text.length() - 1);
    }

    private String text(String path, long line) {
        String text = texts.get(path);
        if (text == null) {
            throw BrokenTrace.at(line, "must have " + path);
        }
        return text;
    }

    /// Passes over the rest of a value, until there are more names than there may be.
    private void skip(JsonToken value, JsonParser parser) {
        int depth = value.isStructStart() ? 1 : 0;
        while (depth > 0 && count <= MOST_NAMES) {
            JsonToken token = parser.nextToken();
            count += token == JsonToken.PROPERTY_NAME ? 1 : 0;
            depth += token.isStructStart() ? 1 : 0;
            depth -= token.isStructEnd() ? 1 : 0;
        }
    }

    /// A text of digits is not a number.
    private static String spelled(JsonToken value, JsonParser parser) {
        return value == JsonToken.VALUE_STRING ? "'" + parser.getString() + "'" : parser.getString();
    }

    private static void require(boolean kept, long line, String fault) {
        if (!kept) {
            throw BrokenTrace.at(line, fault);
        }
    }

    /// Lengths in the order of their requests.
    private static final class Lengths {
        private int[] tokens = new int[64];
        private int size;

        private void add(int length) {
            if (size == tokens.length) {
                tokens = Arrays.copyOf(tokens, 2 * size);
            }
            tokens[size] = length;
            size++;
        }
    }
}
