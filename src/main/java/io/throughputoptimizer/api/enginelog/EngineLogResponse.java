package io.throughputoptimizer.api.enginelog;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.enginelog.ServerStart.Figure;
import io.throughputoptimizer.api.result.figure.EngineMemoryResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Settings and figures of a server, as its log states them. What the log does not say is absent.
@Schema(name = "EngineLog")
public record EngineLogResponse(
        ServerEngineResponse engine,
        ServerParallelResponse parallel,
        @Nullable String model,
        @Nullable Long numDraftTokens,
        PrintedResponse printed,
        @Nullable EngineMemoryResponse predicted,
        @Nullable List<ComparedResponse> comparison,
        boolean started,
        List<LoggedLineResponse> lines,
        List<String> warnings) {

    private static final int COUNTED_BY_CONCURRENCY = 21;

    /// Settings that a request takes.
    @Schema(name = "ServerEngine")
    public record ServerEngineResponse(
            String backend,
            @Nullable String version,
            @Nullable Double memoryShare,
            @Nullable Long maxNumSeqs,
            @Nullable Long maxBatchedTokens,
            @Nullable Long maxModelLen,
            @Nullable String kvCacheDtype,
            @Nullable Boolean cudaGraphs,
            @Nullable Long kvTokens,
            @Nullable Double kvPoolGib) {}

    /// Sizes of the layout.
    @Schema(name = "ServerParallel")
    public record ServerParallelResponse(
            @Nullable Long tp,
            @Nullable Long dp,
            @Nullable Long ep,
            @Nullable Long pp) {}

    /// Figures of a rank. Of several ranks, memory parts are the largest and caches the smallest.
    @Schema(name = "PrintedMemory")
    public record PrintedResponse(
            @Nullable Double memoryShare,
            @Nullable Double seenGib,
            @Nullable Double weightsGib,
            @Nullable Double activationGib,
            @Nullable Double otherGib,
            @Nullable Double graphsGib,
            @Nullable Double kvPoolGib,
            @Nullable Long kvTokens,
            @Nullable Double concurrency,
            @Nullable Long concurrencyTokens) {}

    /// A printed figure and its prediction.
    @Schema(name = "ComparedMemory")
    public record ComparedResponse(
            @Schema(
                    allowableValues = {
                        "weights_gib",
                        "activation_gib",
                        "other_gib",
                        "graphs_gib",
                        "kv_pool_gib",
                        "kv_tokens",
                        "concurrency"
                    })
            String part,

            double printed,
            double predicted,
            @Nullable Double errorPercent) {

        static ComparedResponse of(String part, double printed, double predicted) {
            return new ComparedResponse(
                    part, printed, predicted, printed > 0 ? (Double) (100 * (predicted / printed - 1)) : null);
        }
    }

    /// A line that states values.
    @Schema(name = "LoggedLine")
    public record LoggedLineResponse(long line, List<String> fields) {}

    static EngineLogResponse of(String backend, ServerStart start, int starts, List<String> warned) {
        Double pool = start.value(Fact.KV_POOL);
        Double tokens = start.value(Fact.KV_TOKENS);
        boolean started = start.failure == null && (start.is(Fact.KV_TOKENS) || start.is(Fact.KV_POOL));
        boolean exact = tokens != null
                && (backend.equals("sglang") || pool == null || !(start.layersDiffer || isCountedByConcurrency(start)));
        Double share = start.value(Fact.MEMORY_SHARE);
        String version = start.version == null ? null : start.version.text();
        List<String> warnings = new ArrayList<>();
        warn(warnings, backend, start, starts, started && !exact && tokens != null);
        warnings.addAll(warned);
        return new EngineLogResponse(
                new ServerEngineResponse(
                        backend,
                        version,
                        share != null && share <= 1 && !start.fixedPool && !started ? share : null,
                        whole(start, Fact.MAX_NUM_SEQS),
                        whole(start, Fact.TOKEN_BUDGET),
                        whole(start, Fact.MAX_MODEL_LEN),
                        cache(start),
                        start.value(Fact.CUDA_GRAPHS) == null ? null : start.is(Fact.CUDA_GRAPHS),
                        started && exact ? whole(start, Fact.KV_TOKENS) : null,
                        started && !exact ? pool : null),
                new ServerParallelResponse(
                        whole(start, Fact.TP),
                        isReplicated(backend, start) ? Long.valueOf(1) : whole(start, Fact.DP),
                        whole(start, Fact.EP),
                        start.size(Fact.PP) > 1 ? (Long) start.size(Fact.PP) : null),
                start.model == null ? null : start.model.text(),
                whole(start, Fact.DRAFT_TOKENS),
                new PrintedResponse(
                        share,
                        start.value(Fact.SEEN),
                        start.value(Fact.WEIGHTS),
                        start.value(Fact.ACTIVATION),
                        start.value(Fact.OTHER),
                        start.value(Fact.GRAPHS),
                        pool,
                        whole(start, Fact.KV_TOKENS),
                        start.value(Fact.CONCURRENCY),
                        whole(start, Fact.CONCURRENCY_TOKENS)),
                null,
                null,
                started,
                lines(start),
                List.copyOf(warnings));
    }

    /// Returns this answer with a prediction.
    EngineLogResponse with(
            @Nullable EngineMemoryResponse memory,
            @Nullable List<ComparedResponse> compared,
            List<String> moreWarnings) {
        return WireMember.copy(
                this,
                "predicted",
                memory,
                "comparison",
                compared,
                "warnings",
                Stream.concat(warnings.stream(), moreWarnings.stream()).toList());
    }

    /// Returns true from vLLM 0.21 on, which prints the concurrency times the context as tokens.
    private static boolean isCountedByConcurrency(ServerStart start) {
        if (start.version == null) {
            return true;
        }
        String[] parts = start.version.text().split("\\.", 3);
        return parts.length < 2
                || !parts[0].equals("0")
                || LoggedNumber.of(parts[1]).orElse(COUNTED_BY_CONCURRENCY) >= COUNTED_BY_CONCURRENCY;
    }

    /// Returns true if SGLang starts replicas, whose attention is not data parallel.
    private static boolean isReplicated(String backend, ServerStart start) {
        return backend.equals("sglang") && start.size(Fact.DP) > 1 && !start.is(Fact.DP_ATTENTION);
    }

    private static @Nullable Long whole(ServerStart start, Fact fact) {
        Double value = start.value(fact);
        return value == null ? null : (long) (double) value;
    }

    private static @Nullable String cache(ServerStart start) {
        Double bytes = start.value(Fact.CACHE_BYTES);
        if (bytes == null || start.unknownCache != null) {
            return null;
        }
        return bytes == 1 ? "fp8" : "bf16";
    }

    private static List<LoggedLineResponse> lines(ServerStart start) {
        Map<Long, List<String>> fields = new TreeMap<>();
        start.figures.forEach((fact, figure) -> {
            if (!fact.field.isEmpty()) {
                fields.computeIfAbsent(figure.line(), _ -> new ArrayList<>()).add(fact.field);
            }
        });
        if (start.version != null) {
            fields.computeIfAbsent(start.version.line(), _ -> new ArrayList<>()).add("engine.version");
        }
        if (start.model != null) {
            fields.computeIfAbsent(start.model.line(), _ -> new ArrayList<>()).add("model");
        }
        return fields.entrySet().stream()
                .map(line -> new LoggedLineResponse(line.getKey(), List.copyOf(line.getValue())))
                .toList();
    }

    private static void warn(
            List<String> warnings, String backend, ServerStart start, int starts, boolean capacityUnknown) {
        if (start.failure != null) {
            warnings.add("Line " + start.failure.line() + ": the server did not start, "
                    + start.failure.failure().reason + ".");
        }
        if (start.failure == null && start.value(Fact.KV_TOKENS) == null && start.value(Fact.KV_POOL) == null) {
            warnings.add("The log ends before the KV cache is allocated.");
        }
        if (starts > 1) {
            warnings.add("The log has " + starts + " starts; the last one counts.");
        }
        for (Fact fact : List.of(Fact.KV_POOL, Fact.KV_TOKENS)) {
            Figure figure = start.figures.get(fact);
            if (figure != null && figure.smallest() < figure.largest()) {
                warnings.add("Ranks differ: " + fact.field + " is " + figure.smallest() + " to " + figure.largest()
                        + "; the smallest counts.");
            }
        }
        if (start.layersDiffer) {
            warnings.add("Layers keep unlike numbers of tokens: printed.kv_tokens is no capacity.");
        } else if (capacityUnknown && start.version == null) {
            warnings.add(
                    "The log names no version: engine has kv_pool_gib, since the printed tokens might be no capacity.");
        } else if (capacityUnknown) {
            warnings.add(
                    "vLLM 0.21 and newer print concurrency times context as tokens, which is a capacity only if all"
                            + " layers keep all tokens: engine has kv_pool_gib instead.");
        }
        if (start.fixedPool) {
            warnings.add("The command states the bytes of the cache: the share counts for nothing.");
        }
        if (start.value(Fact.BLOCKS) != null && start.value(Fact.BLOCK_TOKENS) == null) {
            warnings.add("The log prints blocks without their size: 16 tokens assumed.");
        }
        if (start.unknownCache != null) {
            warnings.add("Line " + start.unknownCache.line() + ": cache type " + start.unknownCache.text()
                    + " is not supported in requests.");
        }
        if (start.size(Fact.PP) > 1) {
            warnings.add("The server has " + start.size(Fact.PP)
                    + " pipeline stages, which plans do not support: figures are of one stage.");
        }
        if (isReplicated(backend, start)) {
            warnings.add("dp_size without dp attention starts replicas, each with a cache of its own.");
        }
        if (start.gigabytes) {
            warnings.add("GB in this log are GiB (2^30 bytes).");
        }
    }
}
