package io.throughputoptimizer.core.steady;

/// How an engine serves.
///
/// @param pollInterval steps after which it looks at new requests
/// @param frontendMillis from the client to the scheduler and back: HTTP, tokenizer, first delivery
/// @param stepGapMillis time of the host that every step takes besides its kernels
public record EngineSettings(Scheduling scheduling, int pollInterval, double frontendMillis, double stepGapMillis) {
    /// Costs no time of its own, and looks at new requests after each step.
    static final EngineSettings IDEAL = new EngineSettings(new Scheduling(Policy.MIXED, Scheduling.NO_LIMIT), 1, 0, 0);

    public EngineSettings {
        if (pollInterval < 1 || !(frontendMillis >= 0) || !(stepGapMillis >= 0)) {
            throw new IllegalArgumentException("an engine polls every " + pollInterval + " steps, front end "
                    + frontendMillis + " ms, gap " + stepGapMillis + " ms: at least 1, 0 and 0");
        }
    }

    /// The same with another budget of tokens in a step.
    public EngineSettings withTokenBudget(int tokens) {
        return new EngineSettings(
                new Scheduling(scheduling.policy, tokens, scheduling.maxRunning, scheduling.maxPrompts),
                pollInterval,
                frontendMillis,
                stepGapMillis);
    }

    /// The same with another time from the client to the scheduler and back.
    public EngineSettings withFrontend(double millis) {
        return new EngineSettings(scheduling, pollInterval, millis, stepGapMillis);
    }

    /// The same with at most that many requests at once, and new ones looked at after so many steps.
    public EngineSettings running(int mostRequests, int steps) {
        return new EngineSettings(
                new Scheduling(scheduling.policy, scheduling.tokenBudget, mostRequests, scheduling.maxPrompts),
                steps,
                frontendMillis,
                stepGapMillis);
    }

    /// What a step of prompt tokens does to those who decode.
    public enum Policy {
        /// All decode, and what is left of the token budget goes to prompts.
        MIXED,
        /// While a prompt is unfinished nobody decodes.
        ALTERNATE
    }

    /// Which requests a step serves, on each rank by itself.
    ///
    /// @param tokenBudget tokens of one step
    /// @param maxRunning most requests that are admitted at once; [#NO_LIMIT] if only memory limits them
    /// @param maxPrompts most prompts that end in one step, or [#NO_LIMIT]
    public record Scheduling(Policy policy, int tokenBudget, int maxRunning, int maxPrompts) {
        public static final int NO_LIMIT = Integer.MAX_VALUE;

        public Scheduling {
            if (tokenBudget < 1 || maxRunning < 1 || maxPrompts < 1) {
                throw new IllegalArgumentException("scheduling of " + tokenBudget + " tokens, " + maxRunning
                        + " requests and " + maxPrompts + " prompts: at least 1 each");
            }
        }

        /// Nothing but the token budget limits a step.
        public Scheduling(Policy policy, int tokenBudget) {
            this(policy, tokenBudget, NO_LIMIT, NO_LIMIT);
        }
    }
}
