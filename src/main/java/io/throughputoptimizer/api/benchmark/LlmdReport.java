package io.throughputoptimizer.api.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The benchmark report of llm-d, versions 0.1 and 0.2: one run, whichever tool made its load.
final class LlmdReport {
    static final String TOOL = "llm-d benchmark report";

    private final ResultDocument report;
    private final boolean first;
    private final ResultDocument requests;
    private final ResultDocument latency;
    private final ResultDocument throughput;

    private LlmdReport(ResultDocument report) {
        this.report = report;
        this.first = !report.has("results");
        ResultDocument aggregate =
                first ? report.part("metrics") : report.part("results", "request_performance", "aggregate");
        this.requests = aggregate.part("requests");
        this.latency = aggregate.part("latency");
        this.throughput = aggregate.part("throughput");
    }

    static boolean isOne(ResultDocument document) {
        return document.has("scenario") && (document.has("metrics", "latency") || document.has("results"));
    }

    static FileRow row(ResultDocument report) {
        return new LlmdReport(report).row();
    }

    private FileRow row() {
        double answered = requests.needed("total") - requests.count("failures") - requests.count("incomplete");
        if (answered <= 0) {
            throw requests.refused("of failed requests alone: figures of answered ones are needed", "total");
        }
        List<String> notes = new ArrayList<>();
        double failed = requests.count("failures");
        if (failed > 0) {
            notes.add(String.format(Locale.ROOT, "%.0f requests failed, and are not in the means", failed));
        }
        Double kept = kept();
        Double rate = first ? throughput.figure("requests_per_sec") : throughput.figure("request_rate", "mean");
        Double seconds = millis("request_latency");
        Double mean = null;
        if (kept == null && rate != null && seconds != null) {
            mean = rate * seconds / 1_000;
            notes.add(Little.words(rate, seconds / 1_000));
        }
        return new FileRow(
                report.place().isEmpty() ? "the file" : report.place(),
                model(),
                server(),
                kept == null ? mean : kept,
                kept == null,
                requests.has("input_length") ? requests.figure("input_length", "mean") : null,
                requests.has("output_length") ? requests.figure("output_length", "mean") : null,
                answered,
                tpot(),
                millis("time_to_first_token"),
                first ? throughput.figure("output_tokens_per_sec") : throughput.figure("output_token_rate", "mean"),
                notes);
    }

    /// Of GuideLLM the report has a time per output token that counts the first token too.
    private @Nullable Double tpot() {
        boolean ofGuide = tool().equals("guidellm");
        Double tpot = ofGuide ? null : millis("time_per_output_token");
        return tpot == null ? millis("inter_token_latency") : tpot;
    }

    private String tool() {
        String tool = first
                ? report.text("scenario", "load", "name")
                : report.text("scenario", "load", "standardized", "tool");
        return String.valueOf(tool).toLowerCase(Locale.ROOT);
    }

    private @Nullable Double millis(String metric) {
        if (!latency.has(metric)) {
            return null;
        }
        double value = latency.needed(metric, "mean");
        String units = String.valueOf(latency.text(metric, "units"));
        return switch (units.replace("/token", "")) {
            case "ms" -> value;
            case "s" -> value * 1_000;
            default -> throw latency.refused(units + ": ms or s, by token or not, is needed", metric, "units");
        };
    }

    /// Concurrency that the load kept up; absent where it came at a rate.
    private @Nullable Double kept() {
        ResultDocument load = report.part("scenario", "load", "standardized");
        String rate = load.text("rate_qps");
        boolean atRate = rate != null && !rate.equalsIgnoreCase("inf");
        JsonNode concurrency = load.root().path("concurrency");
        return atRate || first || !concurrency.isNumber() || Double.isInfinite(concurrency.doubleValue())
                ? null
                : load.figure("concurrency");
    }

    private @Nullable String model() {
        if (first) {
            return report.text("scenario", "model", "name");
        }
        return only("model", engines(), "standardized", "model", "name");
    }

    /// The part of the server, of which there may be one kind only.
    private Map<String, String> server() {
        Map<String, String> server = new LinkedHashMap<>();
        List<ResultDocument> parallelisms = new ArrayList<>();
        if (first) {
            for (String role : texts(report.part("scenario", "host", "type"))) {
                requireWhole(role);
            }
            List<ResultDocument> accelerators = elements(report.part("scenario", "host", "accelerator"));
            accelerators.forEach(accelerator -> parallelisms.add(accelerator.part("parallelism")));
            requireOne("device", accelerators, "model");
            put(
                    server,
                    "version",
                    only("engine version", elements(report.part("scenario", "platform", "engine")), "version"));
            if (accelerators.size() > 1) {
                put(server, "replicas", Integer.toString(accelerators.size()));
            }
        } else {
            List<ResultDocument> engines = engines();
            engines.forEach(engine -> requireWhole(String.valueOf(engine.text("standardized", "role"))));
            requireOne("device", engines, "standardized", "accelerator", "model");
            requireOne("engine version", engines, "standardized", "tool_version");
            engines.forEach(engine -> parallelisms.add(engine.part("standardized", "accelerator", "parallelism")));
            double replicas = engines.stream()
                    .mapToDouble(engine -> Math.max(1, engine.count("standardized", "replicas")))
                    .sum();
            if (replicas > 1) {
                put(server, "replicas", Long.toString(Math.round(replicas)));
            }
        }
        for (String size : List.of("tp", "dp", "ep")) {
            put(server, size, only(size, parallelisms, size));
        }
        return server;
    }

    private static void put(Map<String, String> server, String name, @Nullable String value) {
        if (value != null) {
            server.put(name, value);
        }
    }

    private List<ResultDocument> engines() {
        ResultDocument stack = report.part("scenario", "stack");
        List<ResultDocument> engines = new ArrayList<>();
        for (int index = 0; index < stack.root().size(); index++) {
            if ("inference_engine".equals(stack.element(index).text("standardized", "kind"))) {
                engines.add(stack.element(index));
            }
        }
        return engines;
    }

    private static List<String> texts(ResultDocument list) {
        List<String> texts = new ArrayList<>();
        list.root().forEach(text -> texts.add(text.asString()));
        return texts;
    }

    /// Only instances that do both phases are predicted by one row.
    private void requireWhole(String role) {
        if (role.equals("prefill") || role.equals("decode")) {
            throw report.refused(
                    "of instances that " + role + " alone: rows are of instances that do both phases", "scenario");
        }
    }

    private static List<ResultDocument> elements(ResultDocument list) {
        List<ResultDocument> elements = new ArrayList<>();
        for (int index = 0; index < list.root().size(); index++) {
            elements.add(list.element(index));
        }
        return elements;
    }

    private @Nullable String only(String what, List<ResultDocument> parts, String... path) {
        requireOne(what, parts, path);
        for (ResultDocument part : parts) {
            String value = part.text(path);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /// Where they say it, all parts say the same.
    private void requireOne(String what, List<ResultDocument> parts, String... path) {
        TreeSet<String> different = new TreeSet<>();
        for (ResultDocument part : parts) {
            String value = part.text(path);
            if (value != null) {
                different.add(value);
            }
        }
        if (different.size() > 1) {
            throw report.refused(
                    "of more than one " + what + ", " + String.join(" and ", different)
                            + ": measurements are of one server",
                    "scenario");
        }
    }
}
