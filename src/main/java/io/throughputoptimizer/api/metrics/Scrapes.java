package io.throughputoptimizer.api.metrics;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.core.serving.Decimals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/// Samples of servers as they are read; others are only counted. Used by one thread.
final class Scrapes {
    /// Most samples that are kept, each of about 100 bytes.
    static final int MOST_SAMPLES = 1_000_000;

    private static final int MOST_LABELS = 100_000;
    private static final int SHOWN = 40;
    private static final int MOST_METRICS = 2_000;
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");

    /// Samples of one instance at one time.
    static final class Scrape {
        final String instance;

        /// Unix seconds; null if unknown.
        @Nullable
        Double at;

        /// Values by metric and labels.
        final Map<String, Map<Labels, Double>> samples = new LinkedHashMap<>();

        Scrape(String instance, @Nullable Double at) {
            this.instance = instance;
            this.at = at;
        }

        Map<Labels, Double> of(String metric) {
            return samples.getOrDefault(metric, Map.of());
        }
    }

    final List<Scrape> all = new ArrayList<>();
    /// Reason why a metric that is not kept is useless; null if there is none.
    @Nullable
    String refusal;

    int kept;
    long passedOver;
    private final Map<Labels, Labels> known = new HashMap<>();
    private final Map<String, String> metrics = new HashMap<>();
    private final Map<String, String> texts = new HashMap<>();

    /// Adds a scrape.
    Scrape open(@Nullable String instance, @Nullable Double at) {
        Scrape scrape = new Scrape(requireNonNullElse(instance, "server"), at);
        all.add(scrape);
        return scrape;
    }

    /// Counts a metric that is not kept.
    void passOver(String metric) {
        refusal = refusal == null ? MetricSource.refusal(metric) : refusal;
        passedOver++;
    }

    /// Adds a sample.
    ///
    /// @return false if the scrape has one of the same labels
    boolean add(Scrape scrape, String metric, NavigableMap<String, String> labels, double value, String remedy) {
        Labels read = Labels.of(labels);
        Labels shared = known.putIfAbsent(read, read);
        if (shared == null && known.size() > MOST_LABELS) {
            throw refused("must have at most " + MOST_LABELS + " different sets of labels." + remedy);
        }
        String name = metrics.computeIfAbsent(metric, first -> first);
        if (metrics.size() > MOST_METRICS) {
            throw refused("must have at most " + MOST_METRICS + " different metrics of servers." + remedy);
        }
        boolean added = scrape.samples
                        .computeIfAbsent(name, _ -> new LinkedHashMap<>(2))
                        .putIfAbsent(requireNonNullElse(shared, read), value)
                == null;
        if (added && ++kept > MOST_SAMPLES) {
            throw refused("must have at most " + MOST_SAMPLES + " samples of servers." + remedy);
        }
        return added;
    }

    /// Returns the text itself, or one that equals it and was seen before.
    String shared(String text) {
        String before = texts.get(text);
        if (before == null && texts.size() < MOST_LABELS) {
            texts.put(text, text);
        }
        return Objects.requireNonNullElse(before, text);
    }

    /// Reads a number of a metrics text.
    ///
    /// @return null if it is none
    static @Nullable Double number(String text) {
        String low = text.toLowerCase(Locale.ROOT);
        return switch (low) {
            case "nan", "+nan", "-nan" -> Double.NaN;
            case "inf", "+inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> NUMBER.matcher(text).matches() ? Double.valueOf(text) : null;
        };
    }

    static InvalidRequestException refused(String fault) {
        return refused("", fault);
    }

    /// @param pointer JSON pointer, or the name of a query parameter
    static InvalidRequestException refused(String pointer, String fault) {
        return new InvalidRequestException(pointer, fault);
    }

    /// Returns the beginning of foreign text in quotes, in ASCII.
    static String quoted(String text, int length) {
        StringBuilder quoted = new StringBuilder("\"");
        String shown = text.length() > length ? text.substring(0, length) : text;
        for (char c : JsonStringEncoder.getInstance().quoteAsCharArray(shown)) {
            quoted.append(c < 0x7F ? String.valueOf(c) : String.format(Locale.ROOT, "\\u%04x", (int) c));
        }
        return quoted.append('"').toString();
    }

    static String quoted(String text) {
        return quoted(text, SHOWN);
    }

    /// Returns the shortest text that reads back as the same number, with a decimal: `5000.0`, `nan`.
    static String exact(double number) {
        return Decimals.exact(number).toLowerCase(Locale.ROOT);
    }
}
