package io.throughputoptimizer.launch;

import io.throughputoptimizer.catalog.LaunchOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is to be started, whatever the engine: one row of a result, or a pair of them.
///
/// @param instances kinds of instances: one, or one that prefills and one that decodes
/// @param unsaid what the row counts with and no engine is told
record LaunchPlan(Served served, Precision precision, List<Instance> instances, List<String> unsaid) {

    /// What is served, and what is asked of it.
    ///
    /// @param modelType architecture of the model as its configuration names it; empty when nobody knows
    /// @param contextTokens most tokens of a request that the model is made for
    /// @param inputTokens of the longest prompt
    /// @param meanInputTokens of a prompt in the mean
    /// @param outputTokens most that a request generates
    /// @param meanOutputTokens that it generates in the mean
    /// @param prefixShare share of a prompt that the prefix cache holds
    record Served(
            String model,
            String modelType,
            @Nullable Integer contextTokens,
            String device,
            String vendor,
            int inputTokens,
            long meanInputTokens,
            int outputTokens,
            long meanOutputTokens,
            double prefixShare,
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis) {
        /// Room for the chat template, and for random prompts that become longer when they are read again.
        private static final int SLACK = 256;

        /// Tokens of the longest request.
        int requestTokens() {
            int tokens = inputTokens + outputTokens + SLACK;
            return contextTokens == null ? tokens : Math.min(tokens, contextTokens);
        }

        /// Tokens of the longest prompt, with its part of the slack.
        int promptTokens() {
            return requestTokens() - outputTokens;
        }

        boolean isMixed() {
            return inputTokens != meanInputTokens;
        }

        boolean mixesOutputs() {
            return outputTokens != meanOutputTokens;
        }
    }

    /// How numbers are stored.
    ///
    /// @param words the quantization of the checkpoint, for people; absent when it has none
    /// @param weights what says so; absent where the checkpoint alone does
    /// @param cache of the KV cache, if it is quantized
    /// @param compiled whether graphs are compiled
    /// @param draftTokens of multi-token prediction
    record Precision(
            @Nullable String words,
            @Nullable LaunchOption weights,
            @Nullable LaunchOption cache,
            boolean compiled,
            int draftTokens) {}

    /// What an instance does.
    enum Role {
        AGGREGATION,
        PREFILL,
        DECODE
    }

    /// Equal instances.
    ///
    /// @param batchSize requests of a data parallel rank
    /// @param concurrency requests of an instance
    /// @param count how many there are
    record Instance(
            Role role, Layout layout, long batchSize, long concurrency, RankBudget budget, Memory memory, int count) {}

    /// How the devices of an instance are split.
    ///
    /// @param routed whether the model has routed experts; of one that has none all sizes of experts are 1
    record Layout(String label, int tp, int dp, int dcp, int ep, int moeTp, int moeDp, boolean routed) {
        int devices() {
            return tp * dp;
        }
    }

    /// Memory of one device, in GB of 2^30 bytes.
    ///
    /// @param cacheGb all that is left to the KV cache, and to states of requests
    /// @param reservedGb kept free; absent where the engine's own rule decides
    record Memory(
            double totalGb,
            double weightGb,
            double cacheGb,
            @Nullable Double reservedGb) {}
}
