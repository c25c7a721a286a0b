package io.throughputoptimizer.api.enginelog;

import io.throughputoptimizer.api.enginelog.Fact.Ranks;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Facts of one start of a server, of all its ranks. Used by one thread.
final class ServerStart {
    /// Ranks and openings that are told apart; more than any server has.
    private static final int MOST_RANKS = 1024;

    private static final double USUAL_BLOCK = 16;

    /// A fact, and the line that says it.
    ///
    /// @param smallest smallest value of a rank
    /// @param largest largest value of a rank
    record Figure(double value, long line, int weight, double smallest, double largest) {
        private Figure with(double other, long otherLine, Ranks ranks) {
            boolean better = switch (ranks) {
                case LAST -> true;
                case SMALLEST -> other < value;
                case LARGEST -> other > value;
            };
            return new Figure(
                    better ? other : value,
                    better ? otherLine : line,
                    weight,
                    Math.min(smallest, other),
                    Math.max(largest, other));
        }
    }

    /// A name, and the line that says it.
    record Name(String text, long line, int weight) {}

    final Map<Fact, Figure> figures = new EnumMap<>(Fact.class);
    private final Set<String> openings = new HashSet<>();
    private final Map<String, Double> pools = new HashMap<>();
    private final Map<String, Double> poolTokens = new HashMap<>();
    private long poolLine;

    @Nullable
    Name version;

    @Nullable
    Name model;

    @Nullable
    Name unknownCache;

    /// The most telling line that says why the server did not start.
    StartFailure.@Nullable Found failure;

    boolean ready;
    boolean gigabytes;
    boolean fixedPool;
    boolean layersDiffer;

    /// Adds a fact unless a weightier line said it.
    void put(Fact fact, double value, long line, int weight) {
        Figure old = figures.get(fact);
        if (old == null || weight > old.weight) {
            figures.put(fact, new Figure(value, line, weight, value, value));
        } else if (weight == old.weight) {
            figures.put(fact, old.with(value, line, fact.ranks));
        }
    }

    /// Returns the value of a fact, or null.
    @Nullable
    Double value(Fact fact) {
        Figure figure = figures.get(fact);
        return figure == null ? null : figure.value;
    }

    /// Returns true if a fact is above 0, as flags that are set are.
    boolean is(Fact fact) {
        Figure figure = figures.get(fact);
        return figure != null && figure.value > 0;
    }

    /// Returns a size of the layout, 1 where the log is silent.
    long size(Fact fact) {
        Figure figure = figures.get(fact);
        return figure == null ? 1 : (long) figure.value;
    }

    /// Returns true if memory was measured, so that a server that introduces itself is another start.
    boolean hasMemory() {
        return figures.keySet().stream().anyMatch(Fact::isMemory) || !pools.isEmpty() || failure != null;
    }

    /// Notes a line that a process writes once.
    ///
    /// @return false if it wrote it before
    boolean open(String process) {
        return openings.size() >= MOST_RANKS || openings.add(process);
    }

    /// Adds a pool of a rank of SGLang, which has several where layers or a draft model differ.
    void addPool(String rank, double gib, @Nullable Double tokens, long line) {
        if (pools.size() < MOST_RANKS || pools.containsKey(rank)) {
            pools.merge(rank, gib, Double::sum);
            poolLine = poolLine == 0 ? line : poolLine;
            if (tokens != null) {
                layersDiffer |= !tokens.equals(poolTokens.getOrDefault(rank, tokens));
                poolTokens.putIfAbsent(rank, tokens);
                put(Fact.KV_TOKENS, tokens, line, Mark.ARGUMENT);
            }
        }
    }

    /// Adds facts that follow from others.
    void derive() {
        pools.values().forEach(pool -> put(Fact.KV_POOL, pool, poolLine, Mark.RESOLVED));
        Figure blocks = figures.get(Fact.BLOCKS);
        if (blocks != null) {
            Double size = value(Fact.BLOCK_TOKENS);
            put(Fact.KV_TOKENS, blocks.value * (size == null ? USUAL_BLOCK : size), blocks.line, Mark.ROUNDED);
        }
        Double weights = value(Fact.WEIGHTS);
        Figure consumed = figures.get(Fact.CONSUMED);
        if (consumed != null && weights != null && value(Fact.OTHER) == null) {
            put(Fact.OTHER, rounded(consumed.value - weights), consumed.line, Mark.ROUNDED);
        }
        Figure peak = figures.get(Fact.PEAK_TORCH);
        if (peak != null && weights != null && value(Fact.ACTIVATION) == null) {
            put(Fact.ACTIVATION, rounded(peak.value - weights), peak.line, Mark.ROUNDED);
        }
        deriveLayout();
        layersDiffer |= isShortOfConcurrency();
    }

    private void deriveLayout() {
        Figure tp = figures.get(Fact.TP);
        if (tp != null && is(Fact.DP_ATTENTION)) {
            put(Fact.TP, Math.max(1, size(Fact.TP) / size(Fact.DP)), tp.line, tp.weight);
        }
        if (tp != null && is(Fact.EXPERT_PARALLEL)) {
            put(Fact.EP, size(Fact.TP) * size(Fact.DP), tp.line, Mark.ROUNDED);
        }
        Figure steps = figures.get(Fact.DRAFT_STEPS);
        if (steps != null && is(Fact.DRAFTING)) {
            put(Fact.DRAFT_TOKENS, steps.value, steps.line, Mark.ROUNDED);
        }
    }

    /// Returns true if the tokens are not those that the concurrency stands for, as before vLLM 0.21 where
    /// layers keep unlike numbers of tokens.
    private boolean isShortOfConcurrency() {
        Double tokens = value(Fact.KV_TOKENS);
        Double times = value(Fact.CONCURRENCY);
        Double each = value(Fact.CONCURRENCY_TOKENS);
        if (tokens == null || times == null || each == null) {
            return false;
        }
        double rounding = each * 0.005 + USUAL_BLOCK * USUAL_BLOCK;
        return Math.abs(tokens - times * each) > rounding;
    }

    private static double rounded(double gib) {
        return Math.round(gib * 1e4) / 1e4;
    }

    /// Reasons why a server does not start, the most telling first.
    enum StartFailure {
        NO_CACHE("No available memory for the cache blocks", "no memory is left for the KV cache"),
        NO_POOL(
                "Not enough memory. Please try to increase --mem-fraction-static",
                "no memory is left for the KV cache"),
        SHORT_CACHE("larger than the available KV cache memory", "the KV cache is too small for one request"),
        SHORT_BLOCKS("tokens that can be stored in KV cache", "the KV cache is too small for one request"),
        NO_SHARE("less than desired GPU memory utilization", "less memory is free than the share asks for"),
        FEW_STATES("exceeds available Mamba cache blocks", "the KV cache has fewer states than max_num_seqs"),
        OUT_OF_MEMORY("OutOfMemoryError", "the device is out of memory"),
        CUDA_MEMORY("CUDA out of memory", "the device is out of memory"),
        CUDA_ERROR("CUDA error: out of memory", "the device is out of memory"),
        HIP_MEMORY("HIP out of memory", "the device is out of memory"),
        NPU_MEMORY("NPU out of memory", "the device is out of memory"),
        ENGINE("ngine core initialization failed", "the engine failed"),
        ENGINE_CORE("EngineCore failed to start", "the engine failed"),
        ENGINE_PROCESS("Engine process failed to start", "the engine failed");

        private final String words;
        final String reason;

        StartFailure(String words, String reason) {
            this.words = words;
            this.reason = reason;
        }

        /// A reason, and its line.
        record Found(StartFailure failure, long line) {}

        /// Returns the more telling reason of a line and those before it.
        static @Nullable Found told(String line, long number, @Nullable Found before) {
            for (StartFailure failure : values()) {
                if (before != null && before.failure.compareTo(failure) <= 0) {
                    return before;
                }
                if (line.contains(failure.words)) {
                    return new Found(failure, number);
                }
            }
            return before;
        }
    }
}
