package io.throughputoptimizer.api.metrics;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.TextLines;
import io.throughputoptimizer.api.metrics.Scrapes.Scrape;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/// Reader of answers of Prometheus' HTTP API, one after the other, `matrix` or `vector`.
final class PrometheusAnswer {
    private static final int MOST_SCRAPES = 20_000;
    private static final int SHOWN_ERROR = 200;
    private static final int CHUNK = 64;
    private static final String REMEDY = " Raise step, or ask for a shorter time.";
    private static final List<String> OF_PROMETHEUS =
            List.of("job", "pod", "namespace", "container", "endpoint", "service", "node", "cluster", "prometheus");
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(Bounds.NESTING)
                            .maxNumberLength(Bounds.DIGITS)
                            .maxNameLength(Bounds.NAME)
                            .maxStringLength(TextLines.LONGEST)
                            .build())
                    .build())
            .build();

    private record Point(String instance, double at) {}

    private final JsonParser parser;
    private final Scrapes scrapes = new Scrapes();
    private final Map<Point, Scrape> points = new HashMap<>();
    private double[] times = new double[CHUNK];
    private double[] values = new double[CHUNK];
    private int size;

    private PrometheusAnswer(JsonParser parser) {
        this.parser = parser;
    }

    /// Reads all answers.
    ///
    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if one is an error or no raw series
    static Scrapes read(InputStream stream) throws IOException {
        try (JsonParser parser = JSON.createParser(stream)) {
            PrometheusAnswer answer = new PrometheusAnswer(parser);
            while (parser.nextToken() != null) {
                answer.answer();
            }
            answer.scrapes.all.sort(Comparator.comparing((Scrape scrape) -> scrape.instance)
                    .thenComparing(scrape -> Objects.requireNonNull(scrape.at)));
            return answer.scrapes;
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException _) {
            throw Scrapes.refused("must be JSON of Prometheus' HTTP API.");
        }
    }

    private void answer() {
        Map<String, String> texts = new HashMap<>();
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (name.equals("data") && value == JsonToken.START_OBJECT) {
                    data(texts);
                } else {
                    text(texts, name);
                }
            }
        }
        String status = texts.get("status");
        if (status == null) {
            throw Scrapes.refused("must be an answer of Prometheus' HTTP API with status and data.");
        }
        if (!status.equals("success")) {
            String error = texts.getOrDefault("error", "");
            throw Scrapes.refused("Prometheus answered " + texts.getOrDefault("errorType", "error") + ": "
                    + error.substring(0, Math.min(error.length(), SHOWN_ERROR)));
        }
        String type = texts.getOrDefault("resultType", "");
        if (!type.equals("matrix") && !type.equals("vector")) {
            throw Scrapes.refused("must have resultType matrix or vector, got "
                    + (texts.containsKey("resultType") ? Scrapes.quoted(type) : "null") + ".");
        }
    }

    private void data(Map<String, String> texts) {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("result") && value == JsonToken.START_ARRAY) {
                for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
                    if (parser.currentToken() == JsonToken.START_OBJECT) {
                        series(index);
                    } else {
                        parser.skipChildren();
                    }
                }
            } else {
                text(texts, name);
            }
        }
    }

    private void text(Map<String, String> texts, String name) {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            texts.put(name, parser.getString());
        }
        parser.skipChildren();
    }

    private void series(int index) {
        NavigableMap<String, String> labels = new TreeMap<>();
        size = 0;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("metric") && value == JsonToken.START_OBJECT) {
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String label = scrapes.shared(parser.currentName());
                    parser.nextToken();
                    labels.put(label, scrapes.shared(Objects.requireNonNullElse(parser.getString(), "")));
                    parser.skipChildren();
                }
            } else if (name.equals("values") && value == JsonToken.START_ARRAY) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    point();
                }
            } else if (name.equals("value") && value == JsonToken.START_ARRAY) {
                point();
            } else {
                parser.skipChildren();
            }
        }
        String metric = labels.remove("__name__");
        if (metric == null) {
            throw Scrapes.refused(
                    "/data/result/" + index + "/metric",
                    "series " + index + ": is required to have __name__. Query raw series, such as"
                            + " {__name__=~\"vllm:.+\"}, not an expression.");
        }
        if (!MetricSource.isKept(metric)) {
            scrapes.passOver(metric);
            return;
        }
        String instance = instance(labels.remove("instance"), labels.get("pod"));
        OF_PROMETHEUS.forEach(labels::remove);
        for (int i = 0; i < size; i++) {
            Scrape scrape = points.computeIfAbsent(
                    new Point(instance, times[i]), point -> scrapes.open(point.instance, point.at));
            if (points.size() > MOST_SCRAPES) {
                throw Scrapes.refused(
                        "must have at most " + MOST_SCRAPES + " points in time of all instances." + REMEDY);
            }
            if (!scrapes.add(scrape, metric, labels, values[i], REMEDY)) {
                throw Scrapes.refused(
                        "series " + index + ": must not repeat " + metric + " of instance " + instance
                                + " at the same time. Add a label that tells the series apart to the scrape, or query one job.");
            }
        }
    }

    private static String instance(@Nullable String instance, @Nullable String pod) {
        if (instance != null && !instance.isEmpty()) {
            return instance;
        }
        return pod == null || pod.isEmpty() ? "server" : pod;
    }

    /// Reads a pair of a time and a value.
    private void point() {
        Double time = parser.currentToken() == JsonToken.START_ARRAY ? figure() : null;
        Double value = time == null ? null : figure();
        if (time == null || value == null || !Double.isFinite(time) || parser.nextToken() != JsonToken.END_ARRAY) {
            throw Scrapes.refused("must have points [SECONDS, \"VALUE\"] of numbers.");
        }
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        times[size] = time;
        values[size++] = value;
        if (size > Scrapes.MOST_SAMPLES) {
            throw Scrapes.refused("must have at most " + Scrapes.MOST_SAMPLES + " samples of servers." + REMEDY);
        }
    }

    private @Nullable Double figure() {
        JsonToken token = parser.nextToken();
        return token == JsonToken.VALUE_STRING || (token != null && token.isNumeric())
                ? Scrapes.number(parser.getString())
                : null;
    }
}
