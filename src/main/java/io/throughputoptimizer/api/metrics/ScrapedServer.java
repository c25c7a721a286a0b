package io.throughputoptimizer.api.metrics;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.metrics.Scrapes.Scrape;
import io.throughputoptimizer.core.workload.HistogramBins;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One instance over its scrapes, in time. Used by one thread.
final class ScrapedServer {
    static final Predicate<Labels> ANY = _ -> true;

    private static final String TOTAL = "_total";
    private static final String EDGE = "le";

    private final MetricSource source;
    private final @Nullable String model;
    final List<Scrape> scrapes;

    /// Most restarts that a series read so far shows.
    int resets;

    ScrapedServer(MetricSource source, List<Scrape> scrapes, @Nullable String model) {
        this.source = source;
        this.scrapes = scrapes;
        this.model = model;
    }

    /// A sample of a figure.
    record Row(Labels labels, double value) {}

    /// A histogram, or its increase.
    ///
    /// @param sum sum of all values; null if it is no number
    /// @param buckets numbers of values up to each edge
    record Histogram(double count, @Nullable Double sum, NavigableMap<Double, Double> buckets) {
        static final Histogram NONE = new Histogram(0, 0.0, new TreeMap<>());

        Histogram plus(Histogram other, String figure) {
            if (!buckets.keySet().equals(other.buckets.keySet())) {
                throw Scrapes.refused(figure
                        + ": buckets must be the same in all series. Send instances with other buckets one by one.");
            }
            NavigableMap<Double, Double> both = new TreeMap<>(buckets);
            other.buckets.forEach((edge, number) -> both.merge(edge, number, Double::sum));
            return new Histogram(count + other.count, sum == null || other.sum == null ? null : sum + other.sum, both);
        }

        /// Returns the increase since an earlier scrape; a restarted server began at 0.
        Histogram since(Histogram before) {
            NavigableMap<Double, Double> more = new TreeMap<>();
            buckets.forEach((edge, number) -> more.put(edge, number - before.at(edge)));
            return new Histogram(
                    count - before.count, sum == null || before.sum == null ? null : sum - before.sum, more);
        }

        private double at(double edge) {
            return requireNonNull(buckets.get(edge));
        }

        boolean fellSince(Histogram before) {
            return count < before.count
                    || buckets.entrySet().stream().anyMatch(edge -> edge.getValue() < before.at(edge.getKey()));
        }
    }

    Scrape last() {
        return scrapes.getLast();
    }

    /// Returns the samples of the first name of a figure that is present.
    List<Row> rows(Scrape scrape, String figure, String suffix) {
        List<Row> found = new ArrayList<>();
        for (String name : source.names(figure)) {
            for (String prefix : source.prefixes()) {
                add(found, scrape.of(prefix + name + suffix));
                if (suffix.isEmpty() && name.endsWith(TOTAL)) {
                    add(found, scrape.of(prefix + name.substring(0, name.length() - TOTAL.length())));
                }
                if (!found.isEmpty()) {
                    return found;
                }
            }
        }
        return found;
    }

    /// Series of SGLang with a priority are parts of the one without.
    private void add(List<Row> rows, Map<Labels, Double> samples) {
        samples.forEach((labels, value) -> {
            boolean ofModel = model == null
                    || source.model() == null
                    || requireNonNullElse(labels.get(source.model()), model).equals(model);
            boolean whole = !source.name().equals("sglang")
                    || requireNonNullElse(labels.get("priority"), "").isEmpty();
            if (ofModel && whole) {
                rows.add(new Row(labels, value));
            }
        });
    }

    /// Returns the number of attention data parallel ranks, at least 1.
    int ranks() {
        Set<String> ranks = new HashSet<>();
        for (Scrape scrape : scrapes) {
            for (String figure : List.of("running", "usage", "kv_tokens", "cache_config")) {
                for (Row row : rows(scrape, figure, "")) {
                    String rank = row.labels.get(source.rank());
                    if (rank != null) {
                        ranks.add(rank);
                    }
                }
            }
        }
        return Math.max(1, ranks.size());
    }

    /// Returns a gauge over ranks, or null: of copies of one rank the greatest counts.
    @Nullable
    Double gauge(Scrape scrape, String figure, DoubleBinaryOperator together) {
        Map<String, Double> ranks = new LinkedHashMap<>();
        for (Row row : rows(scrape, figure, "")) {
            if (Double.isFinite(row.value)) {
                ranks.merge(requireNonNullElse(row.labels.get(source.rank()), ""), row.value, Math::max);
            }
        }
        return ranks.isEmpty()
                ? null
                : (Double) ranks.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .reduce(together)
                        .getAsDouble();
    }

    /// Returns the requests in flight at a scrape.
    double inFlight(Scrape scrape) {
        return requireNonNullElse(gauge(scrape, "running", Double::sum), 0.0)
                + requireNonNullElse(gauge(scrape, "waiting", Double::sum), 0.0);
    }

    /// Returns the increase of a counter over all scrapes, of a single scrape its value; null if it is absent.
    @Nullable
    Double counter(String figure, Predicate<Labels> where) {
        Map<Labels, Double> before = new HashMap<>();
        Map<Labels, Integer> falls = new HashMap<>();
        Map<Labels, Double> increases = new LinkedHashMap<>();
        for (int i = 0; i < scrapes.size(); i++) {
            for (Row row : rows(scrapes.get(i), figure, "")) {
                if (!where.test(row.labels)) {
                    continue;
                }
                if (!(row.value >= 0) || Double.isInfinite(row.value)) {
                    throw Scrapes.refused(
                            figure + ": must be a finite number of at least 0, got " + Scrapes.exact(row.value) + ".");
                }
                Double earlier = before.put(row.labels, row.value);
                boolean first = earlier == null && i == 0 && scrapes.size() > 1;
                boolean fell = earlier != null && row.value < earlier;
                increases.merge(
                        row.labels, first ? 0 : fell || earlier == null ? row.value : row.value - earlier, Double::sum);
                if (fell) {
                    resets = Math.max(resets, falls.merge(row.labels, 1, Integer::sum));
                }
            }
        }
        return increases.isEmpty() ? null : increases.values().stream().reduce(0.0, Double::sum);
    }

    /// Returns the increase of a histogram over all scrapes, of a single scrape its values; null if absent.
    @Nullable
    Histogram histogram(String figure, Predicate<Labels> where) {
        Map<Labels, NavigableMap<Integer, Part>> series = new LinkedHashMap<>();
        for (int i = 0; i < scrapes.size(); i++) {
            for (String suffix : List.of("_bucket", "_sum", "_count")) {
                for (Row row : rows(scrapes.get(i), figure, suffix)) {
                    Labels labels = row.labels.without(EDGE);
                    if (where.test(labels)) {
                        series.computeIfAbsent(labels, _ -> new TreeMap<>())
                                .computeIfAbsent(i, _ -> new Part())
                                .add(figure, suffix, row);
                    }
                }
            }
        }
        Histogram total = null;
        for (NavigableMap<Integer, Part> parts : series.values()) {
            Histogram increase = increase(figure, parts);
            total = total == null || increase == null ? requireFirst(total, increase) : total.plus(increase, figure);
        }
        return total;
    }

    static @Nullable Histogram requireFirst(@Nullable Histogram first, @Nullable Histogram second) {
        return first == null ? second : first;
    }

    private @Nullable Histogram increase(String figure, NavigableMap<Integer, Part> parts) {
        List<Histogram> points = new ArrayList<>();
        for (Part part : parts.values()) {
            Histogram point = part.histogram(figure);
            if (point != null) {
                points.add(point);
            }
        }
        if (points.isEmpty() || scrapes.size() == 1) {
            return points.isEmpty() ? null : points.getFirst();
        }
        Histogram total = parts.firstKey() > 0 ? points.getFirst() : null;
        for (int i = 1; i < points.size(); i++) {
            Histogram before = points.get(i - 1);
            Histogram point = points.get(i);
            if (!point.buckets.keySet().equals(before.buckets.keySet())) {
                throw Scrapes.refused(figure + ": buckets must be the same in all scrapes of an instance."
                        + " Send scrapes of one start of the server.");
            }
            boolean fell = point.fellSince(before);
            resets = Math.max(resets, fell ? 1 : 0);
            Histogram increase = fell ? point : point.since(before);
            total = total == null ? increase : total.plus(increase, figure);
        }
        return requireNonNullElse(total, Histogram.NONE);
    }

    /// Returns the seconds that increases are for, or null if they are unknown.
    @Nullable
    Double window() {
        Double first = scrapes.getFirst().at;
        Double end = last().at;
        Double start =
                last().of(MetricSource.START).values().stream().findFirst().orElse(null);
        if (end == null) {
            return null;
        }
        if (scrapes.size() == 1) {
            return start != null && end > start ? (Double) (end - start) : null;
        }
        if (first == null) {
            return null;
        }
        if (resets > 0 && start != null && first < start && start < end) {
            return end - start;
        }
        return end > first ? (Double) (end - first) : null;
    }

    /// Returns the seconds between the first scrape and the last, 0 of unknown times.
    double span() {
        return requireNonNullElse(last().at, 0.0) - requireNonNullElse(scrapes.getFirst().at, 0.0);
    }

    /// Returns true if there are three or more scrapes, all with a time.
    boolean isSeries() {
        return scrapes.size() >= 3 && scrapes.stream().allMatch(scrape -> scrape.at != null);
    }

    /// Returns the sum of a figure over all series at a scrape; null if it is absent.
    @Nullable
    Double sum(Scrape scrape, String figure, String suffix) {
        List<Row> rows = rows(scrape, figure, suffix);
        return rows.isEmpty()
                ? null
                : (Double) rows.stream().mapToDouble(Row::value).sum();
    }

    /// Returns the tokens of the cache of each rank, as the configuration of vLLM states them.
    List<Double> configuredCaches() {
        List<Double> tokens = new ArrayList<>();
        for (Row row : rows(last(), "cache_config", "")) {
            Double blocks = whole(row.labels.get("num_gpu_blocks"));
            Double size = whole(row.labels.get("block_size"));
            if (blocks != null && size != null) {
                tokens.add(blocks * size);
            }
        }
        return tokens;
    }

    private static @Nullable Double whole(@Nullable String text) {
        return text != null && text.matches("\\d{1,18}") ? Double.valueOf(text) : null;
    }

    /// Samples of one histogram in one scrape.
    private static final class Part {
        private final NavigableMap<Double, Double> buckets = new TreeMap<>();
        private @Nullable Double sum;
        private @Nullable Double count;

        private void add(String figure, String suffix, Row row) {
            boolean finite = row.value >= 0 && !Double.isInfinite(row.value);
            if (suffix.equals("_sum")) {
                sum = finite ? (Double) row.value : null;
                return;
            }
            if (suffix.equals("_count")) {
                count = finite ? (Double) row.value : null;
                return;
            }
            String label = row.labels.get(EDGE);
            if (label == null) {
                throw Scrapes.refused(figure + ": must have label le.");
            }
            Double edge = Scrapes.number(label);
            if (edge == null || edge.isNaN()) {
                throw Scrapes.refused(figure + ": label le must be a number, got " + Scrapes.quoted(label) + ".");
            }
            if (!finite) {
                throw Scrapes.refused(figure + ": buckets must be finite numbers of at least 0, got "
                        + Scrapes.exact(row.value) + " at le=" + label + ".");
            }
            buckets.put(edge, row.value);
        }

        private @Nullable Histogram histogram(String figure) {
            Map.Entry<Double, Double> below = null;
            for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
                if (below != null && bucket.getValue() < below.getValue()) {
                    throw Scrapes.refused(String.format(
                            Locale.ROOT,
                            "%s: buckets must not fall, got %s at le=%s after %s at le=%s.",
                            figure,
                            general(bucket.getValue()),
                            general(bucket.getKey()),
                            general(below.getValue()),
                            general(below.getKey())));
                }
                below = bucket;
            }
            Double top = buckets.get(Double.POSITIVE_INFINITY);
            if (top == null) {
                top = count == null && below != null ? below.getValue() : count;
                if (top != null && below != null) {
                    buckets.put(Double.POSITIVE_INFINITY, Math.max(top, below.getValue()));
                }
            }
            return top == null ? null : new Histogram(top, sum, buckets);
        }

        private static String general(double number) {
            return HistogramBins.general(number, 6);
        }
    }
}
