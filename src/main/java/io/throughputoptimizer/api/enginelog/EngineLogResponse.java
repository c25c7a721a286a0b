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
@Schema(name = "EngineLog", description = "Settings and figures of a server, as its start-up log states them.")
public record EngineLogResponse(
        @Schema(description = "Settings that a request takes as its `engine`.")
        ServerEngineResponse engine,

        @Schema(description = "Sizes of the layout.") ServerParallelResponse parallel,

        @Schema(description = "Name or path of the model.", example = "Qwen/Qwen3-8B") @Nullable
        String model,

        @Schema(description = "Draft tokens of a decode step.", example = "3") @Nullable
        Long numDraftTokens,

        @Schema(description = "Figures that the log prints.")
        PrintedResponse printed,

        @Schema(
                description = "Memory of a rank by the memory law, for the settings in the log. Absent without"
                        + " a device or model, and for models that the law does not cover.")
        @Nullable
        EngineMemoryResponse predicted,

        @Schema(description = "Comparison of printed and predicted figures. Absent without `predicted`.") @Nullable
        List<ComparedResponse> comparison,

        @Schema(description = "True if the KV cache was allocated and nothing failed before the server was ready.")
        boolean started,

        @Schema(description = "Lines that state these values, in order.")
        List<LoggedLineResponse> lines,

        @Schema(description = "Things to know before you rely on the values.")
        List<String> warnings) {

    private static final int COUNTED_BY_CONCURRENCY = 21;

    /// Settings that a request takes.
    @Schema(
            name = "ServerEngine",
            description = "Settings of the engine. One of `kv_tokens`, `kv_pool_gib` and `memory_share` is present:"
                    + " the first that states the capacity of the cache.")
    public record ServerEngineResponse(
            @Schema(description = "`vllm`, `vllm-ascend` or `sglang`.", example = "vllm")
            String backend,

            @Schema(description = "Version; SGLang does not print it.", example = "0.19.0") @Nullable
            String version,

            @Schema(description = "Share of the device memory, above 0, at most 1.", example = "0.9") @Nullable
            Double memoryShare,

            @Schema(description = "Most sequences of a rank.", example = "256") @Nullable
            Long maxNumSeqs,

            @Schema(description = "Most tokens of a step.", example = "8192") @Nullable
            Long maxBatchedTokens,

            @Schema(description = "Context of the server, in tokens.", example = "8192") @Nullable
            Long maxModelLen,

            @Schema(description = "Element type of the KV cache: `bf16` (all types of 16 bits), `fp8` or `int8`.")
            @Nullable
            String kvCacheDtype,

            @Schema(description = "True if graphs are captured.") @Nullable
            Boolean cudaGraphs,

            @Schema(
                    description = "Tokens of the KV cache of a rank, if they are a capacity of the model.",
                    example = "418688")
            @Nullable
            Long kvTokens,

            @Schema(
                    description = "KV cache of a rank of vLLM, in GiB. Used if the printed tokens might be no"
                            + " capacity: layers keep different numbers of tokens, or the version"
                            + " is 0.21 or newer.",
                    example = "57.5")
            @Nullable
            Double kvPoolGib) {}

    /// Sizes of the layout.
    @Schema(name = "ServerParallel", description = "Sizes of the layout.")
    public record ServerParallelResponse(
            @Schema(description = "Tensor parallel size of attention.", example = "2") @Nullable
            Long tp,

            @Schema(description = "Data parallel size of attention.", example = "1") @Nullable
            Long dp,

            @Schema(description = "Expert parallel size.", example = "1") @Nullable
            Long ep,

            @Schema(description = "Pipeline stages, if there are several.", example = "2") @Nullable
            Long pp) {}

    /// Figures of a rank. Of several ranks, memory parts are the largest and caches the smallest.
    @Schema(
            name = "PrintedMemory",
            description = "Figures of a rank in GiB and tokens. Of ranks that differ, parts are the largest and caches"
                    + " the smallest.")
    public record PrintedResponse(
            @Schema(description = "Share of the device memory.", example = "0.95") @Nullable
            Double memoryShare,

            @Schema(description = "Device memory that the runtime reports, in GiB.", example = "79.19") @Nullable
            Double seenGib,

            @Schema(description = "Weights, in GiB.", example = "15.27") @Nullable
            Double weightsGib,

            @Schema(description = "Activation of the profiling run, in GiB.", example = "2.21") @Nullable
            Double activationGib,

            @Schema(description = "Memory outside PyTorch, in GiB.", example = "0.25") @Nullable
            Double otherGib,

            @Schema(
                    description = "Graphs, in GiB: the estimate if the log has one, else the captured size.",
                    example = "0.84")
            @Nullable
            Double graphsGib,

            @Schema(description = "KV cache, in GiB. Below 0 if memory was short.", example = "57.5") @Nullable
            Double kvPoolGib,

            @Schema(description = "KV cache, in tokens.", example = "418688") @Nullable
            Long kvTokens,

            @Schema(
                    description = "Requests of `concurrency_tokens` tokens that the KV cache admits.",
                    example = "51.11")
            @Nullable
            Double concurrency,

            @Schema(description = "Tokens of a request of `concurrency`.", example = "8192") @Nullable
            Long concurrencyTokens) {}

    /// A printed figure and its prediction.
    @Schema(name = "ComparedMemory", description = "A printed figure of memory and its prediction.")
    public record ComparedResponse(
            @Schema(
                    description = "Name of the figure in `printed`.",
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

            @Schema(description = "Figure of the log.", example = "57.5")
            double printed,

            @Schema(description = "Figure of the memory law.", example = "57.48")
            double predicted,

            @Schema(
                    description = "Error of the prediction, in percent of the printed figure. Absent if that is"
                            + " 0 or less.",
                    example = "-0.03")
            @Nullable
            Double errorPercent) {

        static ComparedResponse of(String part, double printed, double predicted) {
            return new ComparedResponse(
                    part, printed, predicted, printed > 0 ? (Double) (100 * (predicted / printed - 1)) : null);
        }
    }

    /// A line that states values.
    @Schema(name = "LoggedLine", description = "A line of the log that states values.")
    public record LoggedLineResponse(
            @Schema(description = "Number, counted from 1.", example = "42")
            long line,

            @Schema(description = "Fields of this answer that it states.")
            List<String> fields) {}

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
