package io.throughputoptimizer.api.benchmark;

import io.throughputoptimizer.api.benchmark.ResultFormat.Check;
import io.throughputoptimizer.api.benchmark.ResultFormat.Quantity;
import io.throughputoptimizer.api.benchmark.ResultPath.Value;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A reader of one run of a result file by the mapping of its tool.
///
/// @param document document of the run
/// @param run part of the document that describes the run
/// @param index index of the run in its document, or of its line in the file
/// @param place place of the run in the file, for people
/// @param of place of the document in the file; empty if it is alone
record RunReader(ResultFormat format, Value document, Value run, int index, String place, String of, boolean isTable) {
    private static final double MILLIS = 1_000;
    private static final Map<String, Double> UNITS =
            Map.of("ms", 1.0, "s", MILLIS, "sec", MILLIS, "seconds", MILLIS, "us", 1e-3, "ns", 1e-6);
    private static final List<String> SERVER = List.of("version", "device", "tp", "dp", "ep");
    private static final String UNLIMITED = "inf";
    private static final String POSITIVE = "must be a number above 0";

    private record Load(@Nullable Double concurrency, boolean isMean) {}

    FileRow row() {
        List<String> notes = new ArrayList<>();
        check(notes);
        double failed = count("failed");
        if (failed > 0) {
            notes.add(String.format(Locale.ROOT, "%.0f requests failed, and are not in the means", failed));
        }
        double requests = requests(failed);
        Double outputs = mean("output_tokens", requests);
        Double tpot = outputs != null && outputs <= 1 ? null : figure("tpot_ms");
        Double ttft = figure("ttft_ms");
        Double latency = figure("latency_ms");
        if (latency == null && ttft != null && outputs != null && (tpot != null || outputs <= 1)) {
            latency = ttft + (tpot == null ? 0 : (outputs - 1) * tpot);
        }
        Load load = load(requests, latency, notes);
        Double inputs = mean("input_tokens", requests);
        Double rate = figure("tokens_per_s");
        return new FileRow(
                place,
                text("model"),
                server(),
                load.concurrency,
                load.isMean,
                inputs,
                outputs,
                requests,
                tpot,
                ttft,
                rate,
                notes);
    }

    private void check(List<String> notes) {
        format.reject()
                .forEach((reason, checks) -> beyond(checks).forEach(value -> {
                    throw refused(value.pointer(), reason);
                }));
        format.warn()
                .forEach((note, checks) -> beyond(checks).stream().findFirst().ifPresent(_ -> notes.add(note)));
        format.same().forEach(this::text);
    }

    private List<Value> beyond(List<Check> checks) {
        return checks.stream()
                .flatMap(check -> find(check.path()).stream()
                        .filter(value -> !value.node().isNumber()
                                || value.node().doubleValue() > check.above() * scale(check.of())))
                .toList();
    }

    private double scale(@Nullable String path) {
        return path == null
                ? 1
                : find(path).stream()
                        .mapToDouble(value -> value.node().asDouble(0))
                        .findFirst()
                        .orElse(0);
    }

    private double requests(double failed) {
        Double total = figure("total_requests");
        if (total == null) {
            Double requests = figure("requests");
            return requests == null ? 0 : requests;
        }
        double answered = total - failed - count("incomplete");
        if (answered <= 0) {
            throw refused("total_requests", "must include successful requests, got failed ones only");
        }
        return answered;
    }

    private @Nullable Double mean(String field, double requests) {
        Double total = figure("total_" + field);
        return total == null || requests == 0 ? figure(field) : (Double) (total / requests);
    }

    /// Returns the concurrency that clients kept, or the mean concurrency if requests came at a rate.
    private Load load(double requests, @Nullable Double latency, List<String> notes) {
        Double rate = limited("offered_rate");
        boolean atOnce = rate == null && requests > 0 && Boolean.TRUE.equals(format.sendsAtOnce());
        Double kept = rate == null ? limited("concurrency") : null;
        if (kept != null) {
            return new Load(atOnce ? Math.min(kept, requests) : kept, false);
        }
        if (atOnce) {
            notes.add(String.format(Locale.ROOT, "all %.0f requests were sent at once: one wave", requests));
            return new Load(requests, false);
        }
        Double counted = figure("mean_concurrency");
        if (counted != null) {
            notes.add(String.format(
                    Locale.ROOT, "%.2f requests outstanding in the mean, as %s counted", counted, format.tool()));
            return new Load(counted, true);
        }
        Double seconds = figure("duration_s");
        Double served = seconds == null ? figure("request_rate") : (Double) (requests / seconds);
        if (served == null || latency == null) {
            return new Load(null, true);
        }
        double each = latency / MILLIS;
        notes.add(String.format(
                Locale.ROOT,
                "requests came at a rate: %.2f outstanding in the mean by Little's law, %.4g requests/s x %.4g s",
                served * each,
                served,
                each));
        return new Load(served * each, true);
    }

    /// Returns a number, or null if it is absent or infinite.
    private @Nullable Double limited(String field) {
        for (Quantity quantity : format.candidates(field)) {
            for (Value value : find(quantity.path())) {
                JsonNode node = value.node();
                return node.asString("").equalsIgnoreCase(UNLIMITED) || Double.isInfinite(node.asDouble(0))
                        ? null
                        : figure(field);
            }
        }
        return null;
    }

    private Map<String, String> server() {
        Map<String, String> server = new LinkedHashMap<>();
        for (String name : SERVER) {
            String value = text(name);
            if (value != null) {
                server.put(name, value);
            }
        }
        Double replicas = figure("replicas");
        if (replicas != null && replicas > 1) {
            server.put("replicas", Long.toString(Math.round(replicas)));
        }
        return server;
    }

    private @Nullable String text(String field) {
        return text(field, format.candidates(field));
    }

    /// Returns the text that all values of the first present candidate share.
    private @Nullable String text(String name, List<Quantity> candidates) {
        for (Quantity quantity : candidates) {
            TreeSet<String> texts = new TreeSet<>();
            List<Value> values = find(quantity.path());
            values.forEach(value -> texts.add(text(value.node())));
            texts.remove("");
            if (texts.size() > 1) {
                throw refused(
                        values.getFirst().pointer(),
                        "must be one " + name + " for all rows, got " + String.join(" and ", texts)
                                + ". Upload one file per server");
            }
            if (!texts.isEmpty()) {
                return texts.first();
            }
        }
        return null;
    }

    private static String text(JsonNode value) {
        double number = value.isNumber() ? value.doubleValue() : Double.NaN;
        return number == Math.rint(number) ? Long.toString((long) number) : value.asString("");
    }

    private List<Value> find(String path) {
        ResultPath parsed = ResultPath.of(path);
        return parsed.find(parsed.isAbsolute() ? document : run, index);
    }

    private boolean holds(String condition) {
        return condition.startsWith("!") == find(condition.replace("!", "")).isEmpty();
    }

    private double count(String field) {
        return format.candidates(field).stream()
                .flatMap(quantity -> find(quantity.path()).stream())
                .findFirst()
                .map(value -> number(value, true))
                .orElse(0.0);
    }

    /// Returns a number above 0, times in ms, or null if the run has none.
    private @Nullable Double figure(String field) {
        for (Quantity quantity : format.candidates(field)) {
            List<Value> values = find(quantity.path());
            boolean applies = quantity.when() == null || holds(quantity.when());
            if (applies && !values.isEmpty()) {
                return quantity.value() == null ? figure(quantity, values) : quantity.value();
            }
        }
        if (format.required().contains(field)) {
            throw refused(field, "is required and " + POSITIVE);
        }
        return null;
    }

    private double figure(Quantity quantity, List<Value> values) {
        if (quantity.sum() != null) {
            ResultPath below = ResultPath.of(quantity.sum());
            return values.stream()
                    .mapToDouble(value -> below.find(value, index).stream()
                            .mapToDouble(each -> Math.max(1, number(each, true)))
                            .findFirst()
                            .orElse(1))
                    .sum();
        }
        double number = number(values.getFirst(), false);
        String unit = quantity.unit() == null ? "ms" : quantity.unit();
        if (quantity.unitAt() != null) {
            unit = find(quantity.unitAt()).stream()
                    .map(value -> text(value.node()))
                    .findFirst()
                    .orElse("missing");
        }
        Double millis = UNITS.get(unit.replaceFirst("/token$", "").toLowerCase(Locale.ROOT));
        if (millis == null) {
            throw refused("/" + quantity.unitAt(), "must be a unit of time (ms, s, us or ns), got " + unit);
        }
        return number * millis;
    }

    private double number(Value value, boolean orZero) {
        double number = value.node().isNumber() ? value.node().doubleValue() : Double.NaN;
        if (isTable) {
            try {
                // Commas set thousands apart.
                number = Double.parseDouble(value.node().asString("").replace(",", ""));
            } catch (NumberFormatException _) {
                number = Double.NaN;
            }
        }
        if (!(number > 0 || (orZero && number == 0)) || Double.isInfinite(number)) {
            String shown = value.node().toString();
            throw refused(
                    value.pointer(),
                    POSITIVE + ", got " + (shown.length() > 40 ? shown.substring(0, 40) + "..." : shown));
        }
        return number;
    }

    /// @param at pointer, or field, whose first candidate is named
    private InvalidRequestException refused(String at, String fault) {
        String pointer = at.startsWith("/")
                ? at
                : run.pointer() + "/" + format.candidates(at).getFirst().path();
        String message = (of.isEmpty() ? "" : "of " + of + " ") + fault;
        return new InvalidRequestException(List.of(
                isTable
                        ? new Violation("", pointer.substring(1).replace("/", ", ") + " " + message)
                        : new Violation(pointer, message)));
    }
}
