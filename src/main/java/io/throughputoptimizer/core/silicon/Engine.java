package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.steady.EngineSettings;

/// A serving engine, as far as figures depend on it. Its values are data; a request may override each.
///
/// @param backend name in calibrations and requests, such as `vllm`
/// @param settings how it serves where nothing is said: as many requests at once as its cache holds
/// @param cacheRule how much of the memory it leaves to the KV cache
/// @param attendsInCacheType whether attention over prompts runs in FP8 where the cache is
/// @param expertFactors what a pass multiplies the price of routed experts with
public record Engine(
        String backend,
        EngineSettings settings,
        CacheRule cacheRule,
        boolean attendsInCacheType,
        ExpertFactors expertFactors) {
    /// The backend of Ascend devices.
    public static final String VLLM_ASCEND = "vllm-ascend";

    /// The same with another budget of tokens in a step.
    public Engine withTokenBudget(int tokens) {
        return new Engine(backend, settings.withTokenBudget(tokens), cacheRule, attendsInCacheType, expertFactors);
    }

    /// Bytes of a device left to the KV cache beside `W` bytes of weights: `fractionOfFree (memoryFraction M - W -
    /// reserveBytes)`.
    ///
    /// @param memoryFraction share of the memory that the engine takes
    /// @param reserveBytes activations, graphs and the like
    /// @param fractionOfFree share of the rest that becomes cache
    public record CacheRule(double memoryFraction, double reserveBytes, double fractionOfFree) {
        /// Bytes of the cache; 0 or less when the weights do not fit.
        double cacheBytes(double memoryBytes, double weightBytes) {
            return (memoryBytes * memoryFraction - weightBytes - reserveBytes) * fractionOfFree;
        }
    }

    /// Routed experts in a pass against the kernel measured alone: skewed routing, and what happens outside graphs.
    public record ExpertFactors(double decode, double prefill) {}
}
