package io.throughputoptimizer.api.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The report that GuideLLM saves as JSON: a benchmark for each load.
final class GuideLlmReport {
    static final String TOOL = "guidellm";

    private static final String MEAN = "mean";

    private GuideLlmReport() {}

    static boolean isOne(ResultDocument document) {
        return document.root().path("benchmarks").isArray();
    }

    static List<FileRow> rows(ResultDocument report) {
        ResultDocument benchmarks = report.part("benchmarks");
        List<FileRow> rows = new ArrayList<>();
        for (int index = 0; index < benchmarks.root().size(); index++) {
            String place = "benchmark " + (index + 1) + (report.place().isEmpty() ? "" : " of " + report.place());
            rows.add(row(report, benchmarks.element(index), place));
        }
        if (rows.isEmpty()) {
            throw report.refused("empty: at least one benchmark is needed", "benchmarks");
        }
        return rows;
    }

    private static FileRow row(ResultDocument report, ResultDocument benchmark, String place) {
        ResultDocument metrics = benchmark.part("metrics");
        double requests = metrics.needed("request_totals", "successful");
        List<String> notes = new ArrayList<>();
        double failed = metrics.count("request_totals", "errored");
        if (failed > 0) {
            notes.add(String.format(Locale.ROOT, "%.0f requests failed, and are not in the means", failed));
        }
        double outputs = successful(metrics, "output_token_count");
        Double kept = kept(benchmark);
        if (kept == null) {
            kept = metrics.needed("request_concurrency", "total", MEAN);
            notes.add(String.format(Locale.ROOT, "%.2f requests outstanding in the mean, as GuideLLM counted", kept));
            return row(report, metrics, place, kept, true, outputs, requests, notes);
        }
        return row(report, metrics, place, kept, false, outputs, requests, notes);
    }

    /// Its time per output token counts the first token too; that between tokens does not, as TPOT is meant here.
    private static FileRow row(
            ResultDocument report,
            ResultDocument metrics,
            String place,
            double concurrency,
            boolean mean,
            double outputs,
            double requests,
            List<String> notes) {
        return new FileRow(
                place,
                model(report),
                Map.of(),
                concurrency,
                mean,
                successful(metrics, "prompt_token_count"),
                outputs,
                requests,
                outputs > 1 ? metrics.figure("inter_token_latency_ms", "successful", MEAN) : null,
                metrics.figure("time_to_first_token_ms", "successful", MEAN),
                metrics.figure("output_tokens_per_second", "successful", MEAN),
                notes);
    }

    private static double successful(ResultDocument metrics, String metric) {
        return metrics.needed(metric, "successful", MEAN);
    }

    /// Requests that clients kept up; absent where they came at a rate, or as fast as they could.
    private static @Nullable Double kept(ResultDocument benchmark) {
        for (ResultDocument strategy : Stream.of("config", "args")
                .map(holder -> benchmark.part(holder, "strategy"))
                .toList()) {
            String type = String.valueOf(strategy.text("type_"));
            if (type.equals("concurrent")) {
                return strategy.needed("streams");
            }
            if (type.equals("synchronous")) {
                return 1.0;
            }
        }
        return null;
    }

    private static @Nullable String model(ResultDocument report) {
        return Stream.of(
                        report.text("config", "spec", "backend", "model"),
                        report.text("args", "model"),
                        report.text("config", "model"))
                .filter(model -> model != null)
                .findFirst()
                .orElse(null);
    }
}
