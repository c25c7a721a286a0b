package io.throughputoptimizer.api.metrics;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Texts of running servers with what they say, computed by the executable specification.
public final class MetricsVectors {
    private static final Map<String, String> RENAMED = Map.of(
            "/speculation/tokens", "num_draft_tokens",
            "/speculation/accepted", "acceptance_length",
            "/engine/kv_cache", "kv_cache_dtype",
            "/engine/max_running", "max_num_seqs",
            "/engine/token_budget", "max_batched_tokens");

    private MetricsVectors() {}

    /// A text and what it says.
    public record Vector(
            String name, String kind, String contentType, JsonNode parameters, String body, JsonNode expected) {
        @Override
        public String toString() {
            return name;
        }

        Integer instances() {
            return parameters.has("instances")
                    ? (Integer) parameters.get("instances").asInt()
                    : null;
        }
    }

    static Stream<Vector> all() {
        try (InputStream file = new GZIPInputStream(
                requireNonNull(MetricsVectors.class.getResourceAsStream("/metrics/vectors.json.gz")))) {
            List<Vector> vectors = new ArrayList<>();
            for (JsonNode vector : JsonMapper.shared().readTree(file).get("vectors")) {
                JsonNode body = vector.get("body");
                vectors.add(new Vector(
                        vector.get("name").asString(),
                        vector.get("kind").asString(),
                        vector.path("content_type").asString("text/plain"),
                        vector.path("parameters"),
                        body.isString() ? body.asString() : body.toString(),
                        vector.get("expected")));
            }
            return vectors.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Vector named(String name) {
        return all().filter(vector -> vector.name.equals(name)).findFirst().orElseThrow();
    }

    /// Returns the places where two documents differ by more than 1e-9, with present names of fields.
    static List<String> differences(JsonNode expected, JsonNode actual) {
        List<String> places = new ArrayList<>();
        differences(expected, actual, "", places);
        return places;
    }

    private static void differences(JsonNode expected, JsonNode actual, String place, List<String> places) {
        if (expected.isObject() && actual.isObject()) {
            TreeSet<String> unknown = new TreeSet<>(actual.propertyNames());
            for (String name : expected.propertyNames()) {
                String present = RENAMED.getOrDefault(place + "/" + name, name);
                unknown.remove(present);
                differences(expected.get(name), actual.path(present), place + "/" + present, places);
            }
            unknown.stream().filter(name -> !actual.get(name).isNull()).forEach(name -> places.add(place + "/" + name));
        } else if (expected.isArray() && actual.isArray() && expected.size() == actual.size()) {
            for (int i = 0; i < expected.size(); i++) {
                differences(expected.get(i), actual.get(i), place + "/" + i, places);
            }
        } else if (expected.isNumber() && actual.isNumber()) {
            double wanted = expected.asDouble();
            double got = actual.asDouble();
            if (Math.abs(wanted - got) > 1e-9 * Math.max(1e-9, Math.max(Math.abs(wanted), Math.abs(got)))) {
                places.add(place + ": " + wanted + " " + got);
            }
        } else if (!expected.equals(actual) && !(expected.isNull() && actual.isMissingNode())) {
            places.add(place + ": " + expected + " " + actual);
        }
    }
}
