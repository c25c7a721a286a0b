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
        @JsonProperty(required = true) int laws,

        @JsonProperty(required = true) double expertsDecodeFactor,

        @JsonProperty(required = true) double expertsPrefillFactor,

        @JsonProperty(required = true) WithExperts withExperts,

        @JsonProperty(required = true) Map<String, EngineDocument> engines) {

    EnginesDocument {
        if (laws != CalibratedPass.LAWS) {
            throw new IllegalArgumentException("laws must be " + CalibratedPass.LAWS + ", got " + laws);
        }
    }

    /// Scalars of aggregated instances of MoE models.
    record WithExperts(
            @JsonProperty(required = true) double expertsDecodeFactor,

            @JsonProperty(required = true) double expertsPrefillFactor,

            @JsonProperty(required = true) Map<String, EngineWithExperts> engines) {}

    /// Scalars of one engine; times in milliseconds.
    record EngineWithExperts(
            @JsonProperty(required = true) double frontendMs,

            @JsonProperty(required = true) double prefillOtherFactor) {}

    /// One engine; times in milliseconds.
    record EngineDocument(
            @JsonProperty(required = true) double frontendMs,

            @JsonProperty(required = true) double stepGapMs,

            @JsonProperty(required = true) EngineSettings.Policy policy,

            @JsonProperty(required = true) int tokenBudget,

            @JsonProperty(required = true) int maxSequences,

            @JsonProperty(required = true) boolean fp8CacheFp8Attention) {}

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
