package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.memory.MemorySettings;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.steady.EngineSettings;
import org.jspecify.annotations.Nullable;

/// A serving engine, as far as figures depend on it. Its values are data; a request may
/// override each.
///
/// @param backend name in calibrations and requests, such as `vllm`
/// @param settings how it serves where nothing is said: as many requests at once as its cache
///     holds
/// @param maxSequences most sequences that a rank of it runs unless a request says otherwise
/// @param memory parameters of its memory
/// @param memorySettings settings of a server that its memory depends on
/// @param attendsInCacheType whether attention over prompts runs in FP8 where the cache is
/// @param factors what a pass multiplies the prices of its kernels with
/// @param withExperts what takes the place of its front end and its factors in instances that
///     do both phases of a model with experts; absent where that was not fitted, or was decided
///     by [#serving] or [#apart]
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

    /// The backend of Ascend devices.
    public static final String VLLM_ASCEND = "vllm-ascend";

    /// Whether prompts of no more tokens than an indexer selects are attended to whole, without it.
    boolean attendsToAllOfShortPrompts() {
        return isSglang();
    }

    boolean isSglang() {
        return backend.equals(SGLANG);
    }

    /// The same in instances that do both phases of that model. What was fitted on models with
    /// experts is for those whose attention is like that of the measured ones.
    public Engine serving(ModelArchitecture model) {
        return withExperts == null || model.experts().isEmpty() || !model.attendsToEachToken()
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

    /// The same in instances that do one phase each, of any model.
    public Engine apart() {
        return new Engine(backend, settings, maxSequences, memory, memorySettings, attendsInCacheType, factors, null);
    }

    /// The same in instances of either kind of that model: undecided where they differ.
    public Engine servingEither(ModelArchitecture model) {
        Engine together = serving(model);
        return together.equals(apart()) ? together : this;
    }

    /// Time of a request outside the steps, in milliseconds; absent where that is undecided.
    public @Nullable Double frontendMillis() {
        double usual = settings.frontendMillis();
        return withExperts == null || withExperts.frontendMillis == usual ? Double.valueOf(usual) : null;
    }

    /// The same with another budget of tokens in a step.
    public Engine withTokenBudget(int tokens) {
        return with(settings.withTokenBudget(tokens));
    }

    /// The same with that front end, whatever it serves.
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

    /// The same with other settings; the front end of models with experts stays.
    public Engine with(EngineSettings other) {
        return new Engine(
                backend, other, maxSequences, memory, memorySettings, attendsInCacheType, factors, withExperts);
    }

    /// Scalars that were fitted on servers of models with experts.
    ///
    /// @param frontendMillis see [EngineSettings]
    public record Fitted(double frontendMillis, PassFactors factors) {}

    /// Kernels in a pass against the same measured alone: skewed routing, and what happens
    /// outside graphs.
    ///
    /// @param expertsInDecode of routed experts in decode
    /// @param expertsInPrefill of routed experts over prompts
    /// @param othersInPrefill of all other operators over prompts, collectives among them;
    ///     those of decode run in graphs
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
