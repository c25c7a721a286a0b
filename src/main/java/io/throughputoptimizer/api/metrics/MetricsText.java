package io.throughputoptimizer.api.metrics;

import io.throughputoptimizer.api.TextLines;
import io.throughputoptimizer.api.metrics.Scrapes.Scrape;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reader of exposition text (Prometheus, OpenMetrics), line by line. A comment `# scrape: TIME [INSTANCE]`
/// opens a scrape, `# EOF` ends one.
final class MetricsText {
    private static final int MOST_SCRAPES = 200;
    private static final int MOST_LABELS = 64;
    private static final int SHOWN = 60;
    private static final double MILLIS = 1_000;
    private static final double LATEST_SECONDS = 1e11;
    private static final Pattern SCRAPE = Pattern.compile("#\\s*scrape:\\s*(\\S+)(?:\\s+(\\S.*))?");

    private final Scrapes scrapes = new Scrapes();
    private final TextLines lines;
    private @Nullable Scrape current;
    private @Nullable Double stamp;

    private MetricsText(InputStream stream) {
        lines = new TextLines(stream);
    }

    /// Reads all scrapes.
    ///
    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException naming the line that breaks a rule
    static Scrapes read(InputStream stream) throws IOException {
        MetricsText metrics = new MetricsText(stream);
        for (String line = metrics.lines.next(); line != null; line = metrics.lines.next()) {
            if (metrics.lines.cut() > 0) {
                throw metrics.broken("must be at most " + TextLines.LONGEST + " characters.");
            }
            metrics.take(line.strip());
        }
        metrics.close();
        return metrics.scrapes;
    }

    private void take(String line) {
        if (line.startsWith("#")) {
            Matcher opening = SCRAPE.matcher(line);
            if (opening.matches()) {
                close();
                current = open(opening.group(2), time(opening.group(1)));
            } else if (line.equals("# EOF")) {
                close();
            }
        } else if (!line.isEmpty()) {
            current = current == null ? open(null, null) : current;
            sample(current, line);
        }
    }

    private Scrape open(@Nullable String instance, @Nullable Double at) {
        if (scrapes.all.size() == MOST_SCRAPES) {
            throw Scrapes.refused("must have at most " + MOST_SCRAPES + " scrapes.");
        }
        return scrapes.open(instance, at);
    }

    private void close() {
        if (current != null && current.at == null) {
            current.at = stamp;
        }
        current = null;
        stamp = null;
    }

    private void sample(Scrape scrape, String line) {
        int end = 0;
        while (end < line.length() && isOfName(line.charAt(end), end)) {
            end++;
        }
        String metric = line.substring(0, end);
        if (!MetricSource.isKept(metric)) {
            scrapes.passOver(metric);
            return;
        }
        NavigableMap<String, String> labels = new TreeMap<>();
        int after = end < line.length() && line.charAt(end) == '{' ? labels(line, end + 1, labels) : end;
        String rest = line.substring(after);
        int exemplar = rest.indexOf(" # ");
        String[] parts =
                (exemplar < 0 ? rest : rest.substring(0, exemplar)).strip().split("\\s+", -1);
        if (parts.length > 2 || parts[0].isEmpty()) {
            throw broken("must be NAME{LABELS} VALUE, got " + Scrapes.quoted(line, SHOWN) + ".");
        }
        double value = value(parts[0]);
        if (!scrapes.add(scrape, metric, labels, value, "")) {
            throw broken("must not repeat " + metric
                    + " with the same labels in a scrape. Open another scrape with a line # scrape: TIME.");
        }
        if (parts.length == 2) {
            double time = value(parts[1]);
            double seconds = time > LATEST_SECONDS ? time / MILLIS : time;
            stamp = stamp == null ? seconds : Math.max(stamp, seconds);
        }
    }

    private static boolean isOfName(char c, int index) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '_'
                || c == ':'
                || (index > 0 && c >= '0' && c <= '9');
    }

    /// Reads labels up to their bracket, and returns the index behind it.
    private int labels(String line, int from, NavigableMap<String, String> labels) {
        int at = from;
        while (true) {
            at = blanks(line, at);
            if (at < line.length() && line.charAt(at) == '}') {
                return at + 1;
            }
            int begin = at;
            while (at < line.length()
                    && line.charAt(at) != ':'
                    && (isOfName(line.charAt(at), at - begin) || (line.charAt(at) == '.' && at > begin))) {
                at++;
            }
            String name = scrapes.shared(line.substring(begin, at));
            at = expect(line, blanks(line, at), '=', !name.isEmpty());
            at = expect(line, blanks(line, at), '"', true);
            StringBuilder value = new StringBuilder();
            while (at < line.length() && line.charAt(at) != '"') {
                char c = line.charAt(at++);
                if (c == '\\' && at < line.length()) {
                    c = line.charAt(at++);
                    c = c == 'n' ? '\n' : c;
                }
                value.append(c);
            }
            at = blanks(line, expect(line, at, '"', true));
            if (labels.put(name, scrapes.shared(value.toString())) != null) {
                throw broken("must not repeat label " + name + ".");
            }
            if (labels.size() > MOST_LABELS) {
                throw broken("must have at most " + MOST_LABELS + " labels.");
            }
            at += at < line.length() && line.charAt(at) == ',' ? 1 : 0;
        }
    }

    private int expect(String line, int at, char c, boolean named) {
        if (!named || at >= line.length() || line.charAt(at) != c) {
            throw broken("must close its labels, each NAME=\"VALUE\".");
        }
        return at + 1;
    }

    private static int blanks(String line, int from) {
        int at = from;
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return at;
    }

    private double value(String text) {
        Double value = Scrapes.number(text);
        if (value == null) {
            throw broken("must have a number after the name, got " + Scrapes.quoted(text) + ".");
        }
        return value;
    }

    private double time(String text) {
        Double seconds = Scrapes.number(text);
        if (seconds != null && Double.isFinite(seconds)) {
            return seconds;
        }
        try {
            OffsetDateTime time = text.matches(".*[T ].*([Zz]|[+-]\\d\\d:?\\d\\d)")
                    ? OffsetDateTime.parse(text)
                    : (text.contains("T")
                                    ? LocalDateTime.parse(text)
                                    : LocalDate.parse(text).atStartOfDay())
                            .atOffset(ZoneOffset.UTC);
            return time.toInstant().toEpochMilli() / MILLIS;
        } catch (DateTimeException _) {
            throw broken(
                    "must give the time of a scrape in Unix seconds or as RFC 3339, got " + Scrapes.quoted(text) + ".");
        }
    }

    private RuntimeException broken(String fault) {
        return Scrapes.refused("line " + lines.number() + ": " + fault);
    }
}
