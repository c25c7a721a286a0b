package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.memory.ServedRank;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Memory of one rank as its engine allocates it, in GiB of 2^30 bytes.
@Schema(
        name = "EngineMemory",
        description = "Memory of one rank as its engine allocates it, in GiB of 2^30 bytes. Requires"
                + " `cost_model: calibrated`.")
public record EngineMemoryResponse(
        @Schema(description = "Total memory that the runtime of the device reports, in GiB.", example = "79.19")
        @Nullable
        Double seenGib,

        @Schema(
                description = "Memory fraction: of `seen_gib` for vLLM, of memory free before weights for SGLang,"
                        + " of memory free after weights for TensorRT-LLM.",
                example = "0.92")
        @Nullable
        Double memoryShare,

        @Schema(
                description = "Weights by group, in GiB: `embedding`, `head`, `attention`, `linear_attention`,"
                        + " `dense`, `experts`, `shared_experts`, `router`, `norms`, `rope`, `absorbed`, `vision`,"
                        + " `drafting`.")
        @Nullable
        Map<String, Double> weightsGib,

        @Schema(description = "Peak of the profiling run, in GiB; 0 for engines that keep it outside the share.")
        @Nullable
        Double activationGib,

        @Schema(description = "Memory outside the allocator, in GiB: context, communicators, workspaces.") @Nullable
        Double otherGib,

        @Schema(description = "Captured graphs that the share pays for, in GiB.") @Nullable
        Double graphsGib,

        @Schema(description = "KV cache, in GiB; 0 or less where the server does not start.", example = "54.78")
        @Nullable
        Double kvPoolGib,

        @Schema(
                description = "Tokens of the KV cache as the engine's log prints them. No capacity where layers"
                        + " differ: see `requests_held`.",
                example = "448704")
        @Nullable
        Long kvTokensPrinted,

        @Schema(description = "Prediction interval (90%) of `kv_tokens_printed`.") @Nullable
        TokensBandResponse kvTokensBand,

        @Schema(
                description = "Tokens of the longest request, to which both numbers of requests refer.",
                example = "8192")
        @Nullable
        Long requestTokens,

        @Schema(
                description = "Requests of `request_tokens` tokens that the engine admits concurrently.",
                example = "54.77")
        @Nullable
        Double requestsAdmitted,

        @Schema(
                description = "Requests of `request_tokens` tokens that the KV cache holds once their prompts are"
                        + " read. Searches use this number.",
                example = "54.77")
        @Nullable
        Double requestsHeld,

        @Schema(description = "`requests_held` at the low end of the prediction interval.", example = "54.47") @Nullable
        Double requestsHeldLow,

        @Schema(
                description = "Part that decides whether the server starts.",
                allowableValues = {"weights", "activation", "other", "graphs", "kv_cache"})
        @Nullable
        String limitingPart,

        @Schema(
                description = "Fit of a request of `max_model_len` tokens, startup included: `yes` at the low end"
                        + " of the prediction interval, `no` at neither end, else `unsure`.",
                allowableValues = {"yes", "no", "unsure"})
        @Nullable
        String fits,

        @Schema(description = "Changes that would make `fits` `yes`, each alone. Absent where it is.") @Nullable
        List<String> remedies,

        @Schema(
                description = "Uncertainty flags of the memory. `memory_device`: no log shows the device or the"
                        + " memory that its host leaves. `memory_version`: engine version before the memory law."
                        + " `memory_unmeasured`: the interval is a guess. Absent if there are none.")
        @Nullable
        List<String> memoryFlags,

        @Schema(description = "Assumptions about the memory, in words. Absent if there are none.") @Nullable
        List<String> memoryAssumptions,

        @Schema(description = "Version of the engine that the memory is of.", example = "0.29") @Nullable
        String engineVersion,

        @Schema(description = "Most sequences of a rank that the memory is for.", example = "256") @Nullable
        Integer maxNumSeqs,

        @Schema(description = "Token budget of a step that the memory is for.", example = "8192") @Nullable
        Integer maxBatchedTokens,

        @Schema(description = "Context of the server that the memory is for, in tokens.", example = "8192") @Nullable
        Long maxModelLen,

        @Schema(
                description = "Memory that must stay outside the share, in GiB: the first sampling step and, before"
                        + " vLLM 0.21, graphs. 0 for SGLang and TensorRT-LLM.",
                example = "0.56")
        @Nullable
        Double outsideShareGib,

        @Schema(description = "`kv_pool_gib` at the low end of the prediction interval.", example = "54.48") @Nullable
        Double kvPoolLowGib,

        @Schema(
                description = "KV cache that the engine counts before it admits a request of `max_model_len` tokens, in"
                        + " GiB.",
                example = "1.13")
        @Nullable
        Double largestRequestGib,

        @Schema(
                description = "Largest `max_model_len` with which the server starts at the low end of the prediction"
                        + " interval, in tokens; 0 without.",
                example = "446208")
        @Nullable
        Long maxModelLenLow) {

    /// An interval of tokens.
    @Schema(name = "TokensBand", description = "An interval of tokens.")
    public record TokensBandResponse(
            @Schema(description = "Low end.") long low,
            @Schema(description = "High end.") long high) {}

    /// Returns a memory that was read, or null where nothing was given.
    static @Nullable EngineMemoryResponse orAbsent(@Nullable EngineMemoryResponse memory) {
        return memory == null || memory.seenGib == null ? null : memory;
    }

    /// @param requestTokens tokens of the longest request of the workload
    public static EngineMemoryResponse of(RankMemory memory, double requestTokens) {
        ServedRank rank = memory.rank();
        double tokens = Math.max(1, requestTokens);
        Map<String, Double> weights = new TreeMap<>();
        memory.weights().forEach((group, bytes) -> weights.put(name(group), bytes / RankMemory.GIB));
        return new EngineMemoryResponse(
                rank.device().seenGib(),
                memory.share(),
                weights,
                memory.activationGib(),
                memory.otherGib(),
                memory.graphsGib(),
                memory.poolGib(),
                memory.printedTokens(),
                new TokensBandResponse(memory.printedTokensLow(), memory.printedTokensHigh()),
                (long) Math.ceil(tokens),
                memory.requestsAdmitted(tokens),
                memory.requestsHeld(tokens),
                memory.requestsHeldLow(tokens),
                name(memory.limitingPart()),
                name(memory.fit()),
                memory.fit() == RankMemory.Fit.YES ? null : memory.remedies(),
                absentIfEmpty(memory.doubts().stream()
                        .map(doubt -> "memory_" + name(doubt))
                        .toList()),
                absentIfEmpty(memory.assumptions()),
                rank.version().toString(),
                rank.sequences(),
                rank.tokenBudget(),
                rank.context(),
                memory.outsideShareGib(),
                memory.poolLowGib(),
                memory.cache().admittedBytes(rank.context()) / RankMemory.GIB,
                memory.longestContextLow());
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable List<String> absentIfEmpty(List<String> words) {
        return words.isEmpty() ? null : words;
    }
}
