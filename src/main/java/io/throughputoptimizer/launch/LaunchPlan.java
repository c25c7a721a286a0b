package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.request.LengthDistributionRequest.Share;
import io.throughputoptimizer.catalog.LaunchOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A plan to start, independent of the engine: one row of a result, or a pair of them.
///
/// @param instances kinds of instances: one, or prefill and decode
/// @param load load of its clients
/// @param notes notes shown first
/// @param unsaid assumptions of the row without an engine option
record LaunchPlan(Served served, List<Instance> instances, Load load, List<String> notes, List<String> unsaid) {

    /// Returns whether the plan has prefill and decode instances.
    boolean isSplit() {
        return instances.size() > 1;
    }

    /// Returns a copy with the given maximum context length and notes.
    LaunchPlan taking(int tokens, List<String> more) {
        return new LaunchPlan(
                served.taking(tokens),
                instances,
                load,
                Stream.concat(notes.stream(), more.stream()).toList(),
                unsaid);
    }

    /// Returns the names of its devices.
    String devices() {
        return instances.stream()
                .map(instance -> instance.device().name())
                .distinct()
                .collect(Collectors.joining(" + "));
    }

    /// Returns the display name of the checkpoint's quantization, or null without one.
    @Nullable
    String quantization() {
        return instances.getLast().precision().words();
    }

    /// The served model, its requests and limits.
    ///
    /// @param modelType architecture of the model in its configuration; empty if unknown
    /// @param contextTokens maximum context length of the model
    /// @param inputTokens longest prompt
    /// @param meanInputTokens mean prompt length
    /// @param outputTokens maximum output tokens per request
    /// @param meanOutputTokens mean output tokens per request
    /// @param prefixShare prefix cache hit rate as a share of the prompt
    /// @param mostTokens maximum context length of the servers; null for the served requests
    /// @param percentile percentage of requests within the limits; null if limits apply to the mean
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
        /// Extra tokens for the chat template and for random prompts that are longer after re-tokenization.
        private static final int SLACK = 256;

        /// Returns a copy with the given maximum context length.
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

        /// Returns the maximum tokens of a request on the servers.
        int requestTokens() {
            if (mostTokens != null) {
                return mostTokens;
            }
            int tokens = inputTokens + outputTokens + SLACK;
            return contextTokens == null ? tokens : Math.min(tokens, contextTokens);
        }

        /// Returns the maximum prompt tokens, with extra tokens.
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

    /// Load of the clients.
    ///
    /// @param concurrency concurrent requests over all instances
    /// @param requestsPerS arrival rate of open-loop requests; null for closed-loop requests at `concurrency`
    /// @param prompts number of requests of a benchmark
    /// @param least minimum length as a fraction of the maximum, if lengths are uniformly distributed
    /// @param inputs distribution of prompt lengths, or the maximum only
    /// @param outputs distribution of output lengths, or the maximum only
    /// @param thinkMillis time from a response to the next request
    /// @param images true if prompts contain images
    /// @param turns turns per conversation; 1 without conversations
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

        /// Returns whether lengths follow a distribution.
        boolean isMixed() {
            return inputs.size() > 1 || outputs.size() > 1;
        }

        /// Returns whether lengths are uniformly distributed up to a maximum.
        boolean isVaried() {
            return least < 1;
        }
    }

    /// A kind of device.
    ///
    /// @param vendor manufacturer; empty if unknown
    record Device(String name, String vendor) {}

    /// Number formats of an instance.
    ///
    /// @param words display name of the checkpoint's quantization; null without one
    /// @param weights option for the quantization of weights; null if the checkpoint determines it
    /// @param cache option for a quantized KV cache; null otherwise
    /// @param compiled true if graphs are compiled
    /// @param textOnly true if the vision tower is left out
    /// @param draftTokens draft tokens of multi-token prediction
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

    /// Phases that an instance runs.
    enum Role {
        AGGREGATION,
        PREFILL,
        DECODE
    }

    /// Identical instances.
    ///
    /// @param batchSize requests per data parallel rank
    /// @param concurrency requests per instance
    /// @param memory memory of a device; null if the plan does not state it
    /// @param count number of instances
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

        /// Returns a copy with another number of draft tokens.
        Instance drafting(int tokens) {
            return new Instance(
                    role, device, precision.drafting(tokens), layout, batchSize, concurrency, budget, memory, count);
        }

        /// Returns a copy without memory, because it applies to another engine.
        Instance withoutMemory() {
            return new Instance(role, device, precision, layout, batchSize, concurrency, budget, null, count);
        }

        /// Returns a copy with other limits per rank.
        Instance within(long requests, RankBudget tokens) {
            return new Instance(role, device, precision, layout, requests, concurrency, tokens, memory, count);
        }
    }

    /// Parallel sizes of an instance.
    ///
    /// @param routed true if the model has routed experts; otherwise all expert sizes are 1
    record Layout(String label, int tp, int dp, int dcp, int ep, int moeTp, int moeDp, boolean routed) {
        int devices() {
            return tp * dp;
        }
    }

    /// Memory of one device in a row.
    sealed interface Memory permits AnalyticMemory, LaunchMemory, OlderMemory {}

    /// Memory of a row from an earlier version of the service, which sized the KV cache by another rule.
    record OlderMemory() implements Memory {}

    /// Memory in the analytic model, in GiB.
    ///
    /// @param cacheGb memory left for the KV cache and for states of requests; null if known only for a smaller
    ///     batch
    /// @param reservedGb memory kept free; null if the engine's own rule applies
    record AnalyticMemory(
            double totalGb,
            double weightGb,
            @Nullable Double cacheGb,
            @Nullable Double reservedGb) implements Memory {}
}
