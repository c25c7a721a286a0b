package io.throughputoptimizer.api.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What `vllm bench serve` saves, and `sglang.bench_serving` after it: an object of figures a run.
final class ServeResult {
    static final String VLLM = "vllm bench serve";
    static final String SGLANG = "sglang bench_serving";

    private static final double MILLIS = 1_000;
    private static final String UNLIMITED = "inf";

    private final ResultDocument run;

    private ServeResult(ResultDocument run) {
        this.run = run;
    }

    static boolean isOne(ResultDocument document) {
        return document.root().has("completed")
                && (document.root().has("mean_ttft_ms") || document.root().has("mean_tpot_ms"));
    }

    /// The tool that wrote it.
    static String tool(ResultDocument document) {
        return document.root().has("total_output_tokens_retokenized") ? SGLANG : VLLM;
    }

    static FileRow row(ResultDocument document) {
        return new ServeResult(document).row();
    }

    private FileRow row() {
        double completed = run.needed("completed");
        requireNoDrafts();
        double inputs = run.needed("total_input_tokens") / completed;
        double outputs = run.needed("total_output_tokens") / completed;
        Double tpot = outputs > 1 ? run.figure("mean_tpot_ms") : null;
        Double ttft = run.figure("mean_ttft_ms");
        List<String> notes = new ArrayList<>();
        double failed = run.count("failed");
        if (failed > 0) {
            notes.add(String.format(Locale.ROOT, "%.0f requests failed, and are not in the means", failed));
        }
        Concurrency concurrency = concurrency(completed, outputs, tpot, ttft, notes);
        return new FileRow(
                run.place().isEmpty() ? "the file" : run.place(),
                run.text("model_id"),
                server(),
                concurrency.requests,
                concurrency.mean,
                inputs,
                outputs,
                completed,
                tpot,
                ttft,
                run.figure("output_throughput"),
                notes);
    }

    private void requireNoDrafts() {
        for (String member : List.of("spec_decode_acceptance_length", "accept_length")) {
            if (run.has(member) && run.count(member) > 0) {
                throw run.refused("given: plans here have no draft tokens to compare with", member);
            }
        }
    }

    private record Concurrency(double requests, boolean mean) {}

    /// What clients kept up, or how many were outstanding in the mean where they came at a rate.
    private Concurrency concurrency(
            double completed, double outputs, @Nullable Double tpot, @Nullable Double ttft, List<String> notes) {
        Double most = run.figure("max_concurrency");
        if (isUnlimited()) {
            if (most != null) {
                return new Concurrency(Math.min(most, completed), false);
            }
            notes.add(String.format(Locale.ROOT, "all %.0f requests were sent at once: one wave", completed));
            return new Concurrency(completed, false);
        }
        Double printed = run.has("concurrency") ? run.figure("concurrency") : null;
        if (printed != null) {
            notes.add(String.format(Locale.ROOT, "requests came at a rate: %.2f outstanding in the mean", printed));
            return new Concurrency(printed, true);
        }
        double seconds = seconds(outputs, tpot, ttft);
        double rate = run.needed("request_throughput");
        notes.add(Little.words(rate, seconds));
        return new Concurrency(rate * seconds, true);
    }

    private boolean isUnlimited() {
        if (!run.has("request_rate")) {
            return true;
        }
        String rate = String.valueOf(run.text("request_rate"));
        if (rate.equalsIgnoreCase(UNLIMITED)) {
            return true;
        }
        run.needed("request_rate");
        return false;
    }

    /// Time of a request from sending it to its end.
    private double seconds(double outputs, @Nullable Double tpot, @Nullable Double ttft) {
        Double whole = run.has("mean_e2el_ms") ? run.figure("mean_e2el_ms") : run.figure("mean_e2e_latency_ms");
        if (whole != null) {
            return whole / MILLIS;
        }
        if (ttft == null || (tpot == null && outputs > 1)) {
            throw run.refused("missing: with a request rate the concurrency follows from it", "mean_e2el_ms");
        }
        return (ttft + (tpot == null ? 0 : (outputs - 1) * tpot)) / MILLIS;
    }

    /// What callers put into the file by `--metadata`, or the server told about itself.
    private Map<String, String> server() {
        Map<String, String> server = new LinkedHashMap<>();
        for (String name : List.of("version", "tp", "dp", "ep", "device")) {
            put(server, name, run.text(name));
        }
        put(server, "version", run.text("server_info", "version"));
        put(server, "tp", run.text("server_info", "tp_size"));
        put(server, "dp", run.text("server_info", "dp_size"));
        put(server, "ep", run.text("server_info", "ep_size"));
        return server;
    }

    private static void put(Map<String, String> server, String name, @Nullable String value) {
        if (value != null) {
            server.putIfAbsent(name, value);
        }
    }
}
