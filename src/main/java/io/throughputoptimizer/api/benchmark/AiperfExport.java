package io.throughputoptimizer.api.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The summary of a run that AIPerf exports as JSON, and GenAI-Perf before it.
final class AiperfExport {
    static final String TOOL = "aiperf";

    private static final String MEAN = "avg";

    private final ResultDocument export;

    private AiperfExport(ResultDocument export) {
        this.export = export;
    }

    static boolean isOne(ResultDocument document) {
        return document.has("request_latency", MEAN)
                || document.has("time_to_first_token", MEAN)
                || (document.has("input_config") && document.has("request_latency"));
    }

    static FileRow row(ResultDocument export) {
        return new AiperfExport(export).row();
    }

    private FileRow row() {
        requireOneDevice();
        Double inputs = mean("input_sequence_length");
        Double outputs = mean("output_sequence_length");
        Double latency = millis("request_latency");
        Double rate = mean("request_throughput");
        List<String> notes = new ArrayList<>();
        Double kept = kept();
        Double concurrency = kept;
        if (kept == null && rate != null && latency != null) {
            concurrency = rate * latency / 1_000;
            notes.add(Little.words(rate, latency / 1_000));
        }
        return new FileRow(
                export.place().isEmpty() ? "the file" : export.place(),
                model(),
                Map.of(),
                concurrency,
                kept == null,
                inputs,
                outputs,
                export.count("request_count", MEAN),
                outputs != null && outputs <= 1 ? null : millis("inter_token_latency"),
                millis("time_to_first_token"),
                mean("output_token_throughput"),
                notes);
    }

    private @Nullable Double mean(String metric) {
        return export.has(metric) ? (Double) export.needed(metric, MEAN) : null;
    }

    private @Nullable Double millis(String metric) {
        Double mean = mean(metric);
        if (mean == null) {
            return null;
        }
        String unit = String.valueOf(export.text(metric, "unit"));
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "ms" -> mean;
            case "s", "sec", "seconds" -> mean * 1e3;
            case "us" -> mean / 1e3;
            case "ns" -> mean / 1e6;
            default -> throw export.refused(unit + ": a unit of time is needed", metric, "unit");
        };
    }

    /// The load that was asked for: where it came at a rate, nothing is kept up.
    private @Nullable Double kept() {
        for (ResultDocument load : loads()) {
            if (load.has("request_rate") || load.has("rate")) {
                return null;
            }
            if (load.has("concurrency")) {
                return load.figure("concurrency");
            }
        }
        return null;
    }

    /// Where configurations of several versions keep it.
    private List<ResultDocument> loads() {
        ResultDocument phases = export.part("input_config", "phases");
        List<ResultDocument> loads = new ArrayList<>();
        for (int index = 0; phases.root().isArray() && index < phases.root().size(); index++) {
            if ("profiling".equals(phases.element(index).text("name"))) {
                loads.add(phases.element(index));
            }
        }
        Stream.of("phases/profiling", "loadgen", "perf_analyzer/stimulus", "")
                .map(path -> path.isEmpty()
                        ? export.part("input_config")
                        : export.part(("input_config/" + path).split("/", -1)))
                .forEach(loads::add);
        return loads;
    }

    private @Nullable String model() {
        ResultDocument config = export.part("input_config");
        for (String path : List.of("endpoint/model_names", "models", "model", "model_names")) {
            ResultDocument names = config.part(path.split("/", -1));
            if (names.root().isArray() && !names.root().isEmpty()) {
                ResultDocument first = names.element(0);
                return first.has("name") ? first.text("name") : first.root().asString();
            }
        }
        return null;
    }

    private void requireOneDevice() {
        Set<String> names = new TreeSet<>();
        export.root()
                .path("telemetry_data")
                .path("endpoints")
                .forEach(endpoint -> endpoint.path("gpus").forEach(gpu -> {
                    if (gpu.path("gpu_name").isString()) {
                        names.add(gpu.path("gpu_name").asString());
                    }
                }));
        if (names.size() > 1) {
            throw export.refused(
                    "of " + String.join(" and ", names) + ": measurements are of one kind of device", "telemetry_data");
        }
    }
}
