package io.throughputoptimizer.core.silicon;

/// A serving engine, as far as figures depend on it. Its values are data; a request may override each.
///
/// @param backend name in calibrations and requests, such as `vllm`
/// @param scheduling how steps are put together
/// @param cacheRule how much of the memory it leaves to the KV cache
/// @param attendsInCacheType whether attention over prompts runs in FP8 where the cache is
/// @param expertFactors what a pass multiplies the price of routed experts with
public record Engine(
        String backend,
        Scheduling scheduling,
        CacheRule cacheRule,
        boolean attendsInCacheType,
        ExpertFactors expertFactors) {
    /// The backend of Ascend devices.
    public static final String VLLM_ASCEND = "vllm-ascend";

    /// The same with another budget of tokens in a step.
    public Engine withTokenBudget(int tokens) {
        return new Engine(
                backend,
                new Scheduling(scheduling.frontendMillis, scheduling.stepGapMillis, scheduling.policy, tokens),
                cacheRule,
                attendsInCacheType,
                expertFactors);
    }

    /// How steps are put together.
    ///
    /// @param frontendMillis time of a request outside the steps: HTTP, tokenizer, first delivery
    /// @param stepGapMillis host time of a step that its kernels do not hide
    /// @param policy what may share a step
    /// @param tokenBudget most tokens of a step
    public record Scheduling(double frontendMillis, double stepGapMillis, Policy policy, int tokenBudget) {
        public Scheduling {
            if (!(frontendMillis >= 0 && stepGapMillis >= 0 && tokenBudget > 0)) {
                throw new IllegalArgumentException("a front end of " + frontendMillis + " ms, a gap of "
                        + stepGapMillis + " ms and a budget of " + tokenBudget
                        + " tokens: times of at least 0 and a budget above 0 are needed");
            }
        }
    }

    /// What may share a step.
    public enum Policy {
        /// Prompts and decodes.
        MIXED,
        /// Prompts alone, while there are any.
        ALTERNATE
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
