package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.load.EngineSettings;
import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.memory.MemorySettings;
import io.throughputoptimizer.core.model.ModelArchitecture;
import org.jspecify.annotations.Nullable;

/// A serving engine: the properties that figures depend on. Its values are data; a request may override each.
///
/// @param backend name in calibrations and requests, such as `vllm`
/// @param settings default scheduling: batches as large as its cache holds
/// @param maxSequences default maximum sequences per rank
/// @param memory parameters of its memory
/// @param memorySettings server settings that affect its memory
/// @param attendsInCacheType whether prefill attention runs in FP8 if the cache is in FP8
/// @param factors factors of kernel prices within a pass
/// @param withExperts front end and factors of aggregated instances of models with experts; absent if not
///     fitted, or if [#serving] or [#apart] has resolved it
public record Engine(
        String backend,
        EngineSettings settings,
        int maxSequences,
        EngineMemory memory,
        MemorySettings memorySettings,
        boolean attendsInCacheType,
        PassFactors factors,
        @Nullable Fitted withExperts) {
    private static final String SGLANG = "sglang";
    private static final String VLLM = "vllm";

    /// The backend of Ascend devices.
    public static final String VLLM_ASCEND = "vllm-ascend";

    /// Returns whether prompts no longer than the indexer's selection use full attention, without the indexer.
    boolean attendsToAllOfShortPrompts() {
        return isSglang();
    }

    boolean isSglang() {
        return backend.equals(SGLANG);
    }

    boolean isVllm() {
        return backend.equals(VLLM);
    }

    /// Returns this engine for aggregated instances of a model. Values fitted on models with experts apply to
    /// models with the attention of the measured ones.
    public Engine serving(ModelArchitecture model) {
        return withExperts == null || model.experts().isEmpty() || !model.takesFittedScalars()
                ? apart()
                : new Engine(
                        backend,
                        settings.withFrontend(withExperts.frontendMillis),
                        maxSequences,
                        memory,
                        memorySettings,
                        attendsInCacheType,
                        withExperts.factors,
                        null);
    }

    /// Returns this engine for disaggregated instances of any model.
    public Engine apart() {
        return new Engine(backend, settings, maxSequences, memory, memorySettings, attendsInCacheType, factors, null);
    }

    /// Returns this engine for either kind of instance of a model: unresolved if they differ.
    public Engine servingEither(ModelArchitecture model) {
        Engine together = serving(model);
        return together.equals(apart()) ? together : this;
    }

    /// Returns the time of a request outside the steps, in milliseconds; absent if unresolved.
    public @Nullable Double frontendMillis() {
        double usual = settings.frontendMillis();
        return withExperts == null || withExperts.frontendMillis == usual ? Double.valueOf(usual) : null;
    }

    /// Returns a copy with another token budget per step.
    public Engine withTokenBudget(int tokens) {
        return with(settings.withTokenBudget(tokens));
    }

    /// Returns a copy with that front end for all models.
    public Engine withFrontend(double millis) {
        return new Engine(
                backend,
                settings.withFrontend(millis),
                maxSequences,
                memory,
                memorySettings,
                attendsInCacheType,
                factors,
                withExperts == null ? null : new Fitted(millis, withExperts.factors));
    }

    /// Returns this engine on a device with another amount of memory, as a share of its own.
    public Engine withMemoryOf(String device, double factor) {
        return new Engine(
                backend,
                settings,
                maxSequences,
                memory.scaled(device, factor),
                memorySettings,
                attendsInCacheType,
                factors,
                withExperts);
    }

    /// Returns this engine with other settings of its memory.
    public Engine with(MemorySettings other) {
        return new Engine(backend, settings, maxSequences, memory, other, attendsInCacheType, factors, withExperts);
    }

    /// Returns a copy with other settings; the front end of models with experts stays.
    public Engine with(EngineSettings other) {
        return new Engine(
                backend, other, maxSequences, memory, memorySettings, attendsInCacheType, factors, withExperts);
    }

    /// Scalars fitted on servers of models with experts.
    ///
    /// @param frontendMillis front end time, see [EngineSettings]
    public record Fitted(double frontendMillis, PassFactors factors) {}

    /// Ratios of kernels in a pass to kernels measured alone: skewed routing, and overhead outside graphs.
    ///
    /// @param expertsInDecode factor of routed experts in decode
    /// @param expertsInPrefill factor of routed experts in prefill
    /// @param othersInPrefill factor of all other operators in prefill, including collectives; those of decode
    ///     run in graphs
    public record PassFactors(double expertsInDecode, double expertsInPrefill, double othersInPrefill) {
        double of(Phase phase, OperatorClass kind) {
            boolean experts = kind == OperatorClass.EXPERTS;
            return switch (phase) {
                case DECODE -> experts ? expertsInDecode : 1;
                case PREFILL -> experts ? expertsInPrefill : othersInPrefill;
            };
        }
    }
}
