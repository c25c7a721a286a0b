package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.trace.LengthColumns.TimeColumn;
import io.throughputoptimizer.api.trace.TraceReader.BrokenTrace;
import io.throughputoptimizer.api.trace.TraceReader.Delimiter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lines of separated values (RFC 4180, but for line ends within quotes): two numbers each, or columns under a header
/// that names both lengths, in any order and among others. The first line tells what separates values, unless the
/// caller does.
final class CsvTraceLine implements TraceReader.LineReader {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9.]+");

    private static final int MOST_COLUMNS = 1_000;

    private static final String OR_NO_HEADER = "; or two numbers per line without a header";

    private final @Nullable LengthColumns named;
    private final List<Delimiter> delimiters;
    private @Nullable LengthColumns columns;
    private Delimiter delimiter;
    private int width;
    private int input = -1;
    private int output = -1;
    private int timeAt = -1;
    private @Nullable TimeColumn time;

    /// @param delimiter absent to go by the first line
    /// @param named absent to go by what is known
    /// @param time absent to go by what is known
    CsvTraceLine(@Nullable Delimiter delimiter, @Nullable LengthColumns named, @Nullable TimeColumn time) {
        this.time = time;
        this.named = named;
        this.delimiters = delimiter == null ? Arrays.asList(Delimiter.values()) : List.of(delimiter);
        this.delimiter = delimiters.getFirst();
    }

    @Override
    public @Nullable LengthColumns columns() {
        return columns;
    }

    @Override
    public void read(TraceLines line, TraceCounts counts) {
        if (columns == null && isHeader(line)) {
            return;
        }
        LengthColumns known = Objects.requireNonNull(columns);
        List<String> fields = fields(line, delimiter);
        if (fields.size() != width) {
            throw BrokenTrace.at(line.number(), "must have " + width + " values, got " + fields.size());
        }
        int tokens = TraceReader.tokens(line.number(), known.input(), 1, fields.get(input));
        int answered = TraceReader.tokens(line.number(), known.output(), 0, fields.get(output));
        counts.add(known, tokens, answered, time, timeAt < 0 ? null : fields.get(timeAt), line.number());
    }

    /// Takes the first line for a header unless it has a number, and no column was named.
    private boolean isHeader(TraceLines line) {
        List<String> fields = split(line);
        width = fields.size();
        if (named == null
                && time == null
                && fields.stream().anyMatch(field -> NUMBER.matcher(field).matches())) {
            columns = LengthColumns.OWN;
            width = 2;
            input = 0;
            output = 1;
            return false;
        }
        if (fields.stream().anyMatch(name -> name.length() > Bounds.NAME)) {
            throw BrokenTrace.at(
                    line.number(), "must not have a column name of more than " + Bounds.NAME + " characters");
        }
        LengthColumns found = LengthColumns.among(candidates(), isIn(fields), line.number());
        if (found == null) {
            String missing = repeated(fields);
            if (missing == null) {
                missing = LengthColumns.missing(candidates(), isIn(fields));
            }
            throw missing == null
                    ? BrokenTrace.at(line.number(), LengthColumns.unknown(fields) + OR_NO_HEADER)
                    : notOne(line.number(), fields, missing);
        }
        input = index(line.number(), fields, found.input());
        output = index(line.number(), fields, found.output());
        time = time == null ? found.time() : time;
        if (time != null && (time.asked() || isIn(fields).test(time.name()))) {
            timeAt = index(line.number(), fields, time.name());
        }
        columns = found;
        return true;
    }

    /// The first line, by the delimiter that makes lengths of it; else by the one that it has most of.
    private List<String> split(TraceLines line) {
        List<String> most = List.of();
        for (Delimiter candidate : delimiters) {
            List<String> fields = fields(line, candidate);
            boolean pair = fields.size() == 2
                    && fields.stream().allMatch(field -> NUMBER.matcher(field).matches());
            if (pair || LengthColumns.among(candidates(), isIn(fields), line.number()) != null) {
                delimiter = candidate;
                return fields;
            }
            if (fields.size() > most.size()) {
                delimiter = candidate;
                most = fields;
            }
        }
        return most;
    }

    private List<LengthColumns> candidates() {
        return named == null ? LengthColumns.KNOWN : List.of(named);
    }

    private @Nullable String repeated(List<String> fields) {
        return candidates().stream()
                .flatMap(columns -> Stream.of(columns.input(), columns.output()))
                .filter(name -> fields.stream().filter(name::equalsIgnoreCase).count() > 1)
                .findFirst()
                .orElse(null);
    }

    private static Predicate<String> isIn(List<String> fields) {
        return name -> fields.stream().anyMatch(name::equalsIgnoreCase);
    }

    private int index(long line, List<String> fields, String name) {
        if (fields.stream().filter(name::equalsIgnoreCase).count() != 1) {
            throw notOne(line, fields, name);
        }
        return fields.stream()
                .map(field -> field.toLowerCase(Locale.ROOT))
                .toList()
                .indexOf(name.toLowerCase(Locale.ROOT));
    }

    private InvalidRequestException notOne(long line, List<String> fields, String name) {
        long found = fields.stream().filter(name::equalsIgnoreCase).count();
        return BrokenTrace.at(
                line,
                "must be a header with exactly one column " + name + ", got " + found
                        + (named == null ? OR_NO_HEADER : ""));
    }

    /// Texts of those columns that have a length, empty ones of the others, which may be long and matter to nobody; of
    /// the first line all.
    ///
    /// All bytes are characters here, but for names: numbers are ASCII.
    private List<String> fields(TraceLines line, Delimiter separator) {
        byte[] bytes = line.buffer();
        int end = line.offset() + line.length();
        List<String> fields = new ArrayList<>();
        int begin = line.offset();
        boolean quoted = false;
        for (int index = begin; index < end; index++) {
            if (bytes[index] == '"') {
                quoted = !quoted;
            } else if (bytes[index] == separator.character && !quoted) {
                add(fields, line, begin, index);
                begin = index + 1;
            }
        }
        if (quoted) {
            throw BrokenTrace.at(line.number(), "must end each quote that it begins");
        }
        add(fields, line, begin, end);
        return fields;
    }

    private void add(List<String> fields, TraceLines line, int begin, int end) {
        int column = fields.size();
        if (column == MOST_COLUMNS) {
            throw BrokenTrace.at(line.number(), "must have at most " + MOST_COLUMNS + " values");
        }
        boolean matters = columns == null || column == input || column == output || column == timeAt;
        Charset charset = columns == null ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
        fields.add(matters ? field(new String(line.buffer(), begin, end - begin, charset)) : "");
    }

    private static String field(String text) {
        String bare = text.strip();
        return bare.length() > 1 && bare.startsWith("\"") && bare.endsWith("\"")
                ? bare.substring(1, bare.length() - 1).strip()
                : bare;
    }
}
