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
@Schema(name = "EngineMemory")
public record EngineMemoryResponse(
        @Nullable Double seenGib,
        @Nullable Double memoryShare,
        @Nullable Map<String, Double> weightsGib,
        @Nullable Double activationGib,
        @Nullable Double otherGib,
        @Nullable Double graphsGib,
        @Nullable Double kvPoolGib,
        @Nullable Long kvTokensPrinted,
        @Nullable TokensBandResponse kvTokensBand,
        @Nullable Long requestTokens,
        @Nullable Double requestsAdmitted,
        @Nullable Double requestsHeld,
        @Nullable Double requestsHeldLow,

        @Schema(allowableValues = {"weights", "activation", "other", "graphs", "kv_cache"}) @Nullable
        String limitingPart,

        @Schema(allowableValues = {"yes", "no", "unsure"}) @Nullable
        String fits,

        @Nullable List<String> remedies,
        @Nullable List<String> memoryFlags,
        @Nullable List<String> memoryAssumptions,
        @Nullable String engineVersion,
        @Nullable Integer maxNumSeqs,
        @Nullable Integer maxBatchedTokens,
        @Nullable Long maxModelLen,
        @Nullable Double outsideShareGib,
        @Nullable Double kvPoolLowGib,
        @Nullable Double largestRequestGib,
        @Nullable Long maxModelLenLow) {

    /// An interval of tokens.
    @Schema(name = "TokensBand")
    public record TokensBandResponse(long low, long high) {}

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
