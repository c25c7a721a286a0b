package io.throughputoptimizer.core.load;

/// Scheduling and overheads of a serving engine.
///
/// @param pollInterval steps between checks for new requests
/// @param frontendMillis time from the client to the scheduler and back: HTTP, tokenizer, first delivery
/// @param stepGapMillis host time of every step in addition to its kernels
public record EngineSettings(Scheduling scheduling, int pollInterval, double frontendMillis, double stepGapMillis) {
    /// Engine without overhead that checks for new requests after each step.
    static final EngineSettings IDEAL = new EngineSettings(new Scheduling(Policy.MIXED, Scheduling.NO_LIMIT), 1, 0, 0);

    public EngineSettings {
        if (pollInterval < 1 || !(frontendMillis >= 0) || !(stepGapMillis >= 0)) {
            throw new IllegalArgumentException("an engine polls every " + pollInterval + " steps, front end "
                    + frontendMillis + " ms, gap " + stepGapMillis + " ms: at least 1, 0 and 0");
        }
    }

    /// Returns a copy with another token budget per step.
    public EngineSettings withTokenBudget(int tokens) {
        return new EngineSettings(
                new Scheduling(scheduling.policy, tokens, scheduling.maxRunning, scheduling.maxPrompts),
                pollInterval,
                frontendMillis,
                stepGapMillis);
    }

    /// Returns a copy with another front end time.
    public EngineSettings withFrontend(double millis) {
        return new EngineSettings(scheduling, pollInterval, millis, stepGapMillis);
    }

    /// Returns a copy with a maximum batch size and an interval of checks for new requests.
    public EngineSettings running(int mostRequests, int steps) {
        return new EngineSettings(
                new Scheduling(scheduling.policy, scheduling.tokenBudget, mostRequests, scheduling.maxPrompts),
                steps,
                frontendMillis,
                stepGapMillis);
    }

    /// Effect of prompt tokens on decoding requests in the same step.
    public enum Policy {
        /// Mixed steps: all requests decode, and the rest of the token budget goes to prompts.
        MIXED,
        /// Alternating steps: requests wait while a prompt is unfinished.
        ALTERNATE
    }

    /// Limits of a step, per rank.
    ///
    /// @param tokenBudget tokens of one step
    /// @param maxRunning maximum number of admitted requests; [#NO_LIMIT] if only memory limits them
    /// @param maxPrompts maximum number of prompts that end in one step, or [#NO_LIMIT]
    public record Scheduling(Policy policy, int tokenBudget, int maxRunning, int maxPrompts) {
        public static final int NO_LIMIT = Integer.MAX_VALUE;

        public Scheduling {
            if (tokenBudget < 1 || maxRunning < 1 || maxPrompts < 1) {
                throw new IllegalArgumentException("scheduling of " + tokenBudget + " tokens, " + maxRunning
                        + " requests and " + maxPrompts + " prompts: at least 1 each");
            }
        }

        /// Creates scheduling with the token budget as its only limit.
        public Scheduling(Policy policy, int tokenBudget) {
            this(policy, tokenBudget, NO_LIMIT, NO_LIMIT);
        }
    }
}
