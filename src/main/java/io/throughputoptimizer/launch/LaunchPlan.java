package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.request.LengthDistributionRequest.Share;
import io.throughputoptimizer.catalog.LaunchOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is to be started, whatever the engine: one row of a result, or a pair of them.
///
/// @param instances kinds of instances: one, or one that prefills and one that decodes
/// @param load what its clients send
/// @param notes what is to be known about it before all
/// @param unsaid what the row counts with and no engine is told
record LaunchPlan(Served served, List<Instance> instances, Load load, List<String> notes, List<String> unsaid) {

    /// Whether prefill and decode instances are both there.
    boolean isSplit() {
        return instances.size() > 1;
    }

    /// The same where servers take requests of so many tokens, with what is to be known about it.
    LaunchPlan taking(int tokens, List<String> more) {
        return new LaunchPlan(
                served.taking(tokens),
                instances,
                load,
                Stream.concat(notes.stream(), more.stream()).toList(),
                unsaid);
    }

    /// What its instances are made of.
    String devices() {
        return instances.stream()
                .map(instance -> instance.device().name())
                .distinct()
                .collect(Collectors.joining(" + "));
    }

    /// The quantization of the checkpoint, for people; absent when it has none.
    @Nullable
    String quantization() {
        return instances.getLast().precision().words();
    }

    /// What is served, and what is asked of it.
    ///
    /// @param modelType architecture of the model as its configuration names it; empty when nobody knows
    /// @param contextTokens most tokens of a request that the model is made for
    /// @param inputTokens of the longest prompt
    /// @param meanInputTokens of a prompt in the mean
    /// @param outputTokens most that a request generates
    /// @param meanOutputTokens that it generates in the mean
    /// @param prefixShare share of a prompt that the prefix cache holds
    /// @param mostTokens of a request that servers are to take; absent for those that are served
    /// @param percentile of the requests that keep the limits; absent where their mean does
    record Served(
            String model,
            String modelType,
            @Nullable Integer contextTokens,
            int inputTokens,
            long meanInputTokens,
            int outputTokens,
            long meanOutputTokens,
            @Nullable Integer mostTokens,
            double prefixShare,
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis,
            @Nullable Double requestLatencyMillis,
            @Nullable Double percentile) {
        /// Room for the chat template, and for random prompts that become longer when they are read again.
        private static final int SLACK = 256;

        /// The same where servers take requests of so many tokens.
        Served taking(int tokens) {
            return new Served(
                    model,
                    modelType,
                    contextTokens,
                    inputTokens,
                    meanInputTokens,
                    outputTokens,
                    meanOutputTokens,
                    tokens,
                    prefixShare,
                    ttftMillis,
                    tpotMillis,
                    requestLatencyMillis,
                    percentile);
        }

        /// Tokens of the longest request that servers take.
        int requestTokens() {
            if (mostTokens != null) {
                return mostTokens;
            }
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

    /// What clients send.
    ///
    /// @param concurrency requests that all instances hold together
    /// @param requestsPerS requests a second, where clients wait for no answer; absent where they keep up
    ///     `concurrency`
    /// @param prompts requests of a benchmark
    /// @param least shortest lengths as a share of the longest, where those between are equally frequent
    /// @param inputs shares of prompt lengths, or the longest alone
    /// @param outputs shares of output lengths, or the longest alone
    /// @param thinkMillis from an answer to the next request
    /// @param images whether prompts come with images
    /// @param turns of the conversations that requests are turns of; 1 where they are of none
    record Load(
            long concurrency,
            @Nullable Double requestsPerS,
            long prompts,
            double least,
            List<Share> inputs,
            List<Share> outputs,
            double thinkMillis,
            boolean images,
            int turns) {

        /// Whether lengths are those of a distribution.
        boolean isMixed() {
            return inputs.size() > 1 || outputs.size() > 1;
        }

        /// Whether lengths differ evenly up to a longest.
        boolean isVaried() {
            return least < 1;
        }
    }

    /// A kind of device.
    ///
    /// @param vendor its maker; empty when nobody knows
    record Device(String name, String vendor) {}

    /// How numbers are stored.
    ///
    /// @param words the quantization of the checkpoint, for people; absent when it has none
    /// @param weights what says so; absent where the checkpoint alone does
    /// @param cache of the KV cache, if it is quantized
    /// @param compiled whether graphs are compiled
    /// @param textOnly whether the tower for images is left out
    /// @param draftTokens of multi-token prediction
    record Precision(
            @Nullable String words,
            @Nullable LaunchOption weights,
            @Nullable LaunchOption cache,
            boolean compiled,
            boolean textOnly,
            int draftTokens) {
        Precision drafting(int tokens) {
            return new Precision(words, weights, cache, compiled, textOnly, tokens);
        }
    }

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
    /// @param memory absent where the plan does not say it
    /// @param count how many there are
    record Instance(
            Role role,
            Device device,
            Precision precision,
            Layout layout,
            long batchSize,
            long concurrency,
            RankBudget budget,
            @Nullable Memory memory,
            int count) {

        /// The same with so many draft tokens.
        Instance drafting(int tokens) {
            return new Instance(
                    role, device, precision.drafting(tokens), layout, batchSize, concurrency, budget, memory, count);
        }

        /// The same where the memory is that of another engine.
        Instance withoutMemory() {
            return new Instance(role, device, precision, layout, batchSize, concurrency, budget, null, count);
        }

        /// The same with other limits of a rank.
        Instance within(long requests, RankBudget tokens) {
            return new Instance(role, device, precision, layout, requests, concurrency, tokens, memory, count);
        }
    }

    /// How the devices of an instance are split.
    ///
    /// @param routed whether the model has routed experts; of one that has none all sizes of experts are 1
    record Layout(String label, int tp, int dp, int dcp, int ep, int moeTp, int moeDp, boolean routed) {
        int devices() {
            return tp * dp;
        }
    }

    /// Memory of one device, as a row has it.
    sealed interface Memory permits AnalyticMemory, LaunchMemory, OlderMemory {}

    /// Memory of a row of an earlier version of the service, which counted the KV cache by another rule.
    record OlderMemory() implements Memory {}

    /// Memory of cost model `analytic`, in GB of 2^30 bytes.
    ///
    /// @param cacheGb all that is left to the KV cache, and to states of requests; absent where that is known of a
    ///     smaller batch alone
    /// @param reservedGb kept free; absent where the engine's own rule decides
    record AnalyticMemory(
            double totalGb,
            double weightGb,
            @Nullable Double cacheGb,
            @Nullable Double reservedGb) implements Memory {}
}
