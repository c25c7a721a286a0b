package io.throughputoptimizer.catalog;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.load.EngineSettings;
import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.memory.MemorySettings;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Engines in the catalog.
///
/// @param laws version of the laws that the fitted scalars belong to
/// @param withExperts values for MoE models where they were fitted separately
record EnginesDocument(
        @JsonProperty(value = "laws", required = true) int laws,

        @JsonProperty(value = "experts_decode_factor", required = true)
        double expertsDecodeFactor,

        @JsonProperty(value = "experts_prefill_factor", required = true)
        double expertsPrefillFactor,

        @JsonProperty(value = "with_experts", required = true)
        WithExperts withExperts,

        @JsonProperty(value = "engines", required = true) Map<String, EngineDocument> engines) {

    EnginesDocument {
        if (laws != CalibratedPass.LAWS) {
            throw new IllegalArgumentException("laws must be " + CalibratedPass.LAWS + ", got " + laws);
        }
    }

    /// Scalars of aggregated instances of MoE models.
    record WithExperts(
            @JsonProperty(value = "experts_decode_factor", required = true)
            double expertsDecodeFactor,

            @JsonProperty(value = "experts_prefill_factor", required = true)
            double expertsPrefillFactor,

            @JsonProperty(value = "engines", required = true)
            Map<String, EngineWithExperts> engines) {}

    /// Scalars of one engine; times in milliseconds.
    record EngineWithExperts(
            @JsonProperty(value = "frontend_ms", required = true)
            double frontendMs,

            @JsonProperty(value = "prefill_other_factor", required = true)
            double prefillOtherFactor) {}

    /// One engine; times in milliseconds.
    record EngineDocument(
            @JsonProperty(value = "frontend_ms", required = true)
            double frontendMs,

            @JsonProperty(value = "step_gap_ms", required = true)
            double stepGapMs,

            @JsonProperty(value = "policy", required = true) EngineSettings.Policy policy,

            @JsonProperty(value = "token_budget", required = true)
            int tokenBudget,

            @JsonProperty(value = "max_sequences", required = true)
            int maxSequences,

            @JsonProperty(value = "fp8_cache_fp8_attention", required = true)
            boolean fp8CacheFp8Attention) {}

    /// Returns the engines by name, in order.
    ///
    /// @param memory memory rules by engine
    Map<String, Engine> toEngines(Map<String, EngineMemory> memory) {
        Map<String, Engine> read = new LinkedHashMap<>();
        engines.forEach((name, engine) -> read.put(name, engine(name, engine, requireNonNull(memory.get(name)))));
        return read;
    }

    private Engine engine(String name, EngineDocument document, EngineMemory memory) {
        return new Engine(
                name,
                new EngineSettings(
                        new EngineSettings.Scheduling(document.policy, document.tokenBudget),
                        1,
                        document.frontendMs,
                        document.stepGapMs),
                document.maxSequences,
                memory,
                MemorySettings.DEFAULTS,
                document.fp8CacheFp8Attention,
                new Engine.PassFactors(expertsDecodeFactor, expertsPrefillFactor, 1),
                fitted(withExperts.engines.get(name)));
    }

    private Engine.@Nullable Fitted fitted(@Nullable EngineWithExperts engine) {
        return engine == null
                ? null
                : new Engine.Fitted(
                        engine.frontendMs,
                        new Engine.PassFactors(
                                withExperts.expertsDecodeFactor,
                                withExperts.expertsPrefillFactor,
                                engine.prefillOtherFactor));
    }
}
